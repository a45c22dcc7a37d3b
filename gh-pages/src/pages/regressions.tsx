import { mount } from '../frame/frame.tsx';
import { Regressions } from '../regressions/page.tsx';
import '../regressions/regressions.css';

void mount(Regressions);
