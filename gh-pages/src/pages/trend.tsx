import { mount } from '../frame/frame.tsx';
import { Trend } from '../trend/page.tsx';
import '../trend/trend.css';

void mount(Trend);
