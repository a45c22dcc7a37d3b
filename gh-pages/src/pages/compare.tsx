import { mount } from '../frame/frame.tsx';
import { Compare } from '../compare/page.tsx';
import '../compare/compare.css';

void mount(Compare);
