import { mount } from '../frame/frame.tsx';
import { Charts } from '../charts/page.tsx';

void mount(Charts);
