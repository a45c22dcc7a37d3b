import { mount } from '../frame/frame.tsx';
import { TwoRuns } from '../tworuns/page.tsx';
import '../tworuns/tworuns.css';

void mount(TwoRuns);
