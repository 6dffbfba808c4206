import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import { RuleFilter } from './rule-filter.mjs';
import './pages.css';

export default {
  ...DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () =>
        useData().page.value.relativePath === 'rules/index.md' ? h(RuleFilter) : undefined,
    }),
};
