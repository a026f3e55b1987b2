// Without the theme's web fonts: the lab uses the system's font too.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
