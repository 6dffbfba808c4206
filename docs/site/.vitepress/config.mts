import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';
import { withMermaid } from 'vitepress-plugin-mermaid';

const docs = fileURLToPath(new URL('../..', import.meta.url));

/** The first heading of a page, which is its name in the menus. */
function titleOf(path: string): string {
  return (/^# (.+)$/m.exec(readFileSync(`${docs}/${path}`, 'utf8'))?.[1] ?? path).replaceAll(
    '`',
    '',
  );
}

/** Every page of a folder, by name; what `first` lists comes first, in that order. */
function pagesOf(folder: string, first: readonly string[] = []): DefaultTheme.SidebarItem[] {
  const names = readdirSync(`${docs}/${folder}`)
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
  const ordered = [
    ...first.filter((name) => names.includes(name)),
    ...names.filter((name) => !first.includes(name)),
  ];
  return ordered.map((name) => ({
    text: titleOf(`${folder}/${name}.md`),
    link: `/${folder}/${name}`,
  }));
}

/**
 * A menu that is closed at first. It leads to its first page: without a link, VitePress nests one
 * button in another.
 */
function folded(text: string, items: DefaultTheme.SidebarItem[]): DefaultTheme.SidebarItem {
  const [first] = items;
  return {
    text,
    collapsed: true,
    items,
    ...(first?.link === undefined ? {} : { link: first.link }),
  };
}

/** A page, with those in the folder of its name below it. */
function withParts(page: DefaultTheme.SidebarItem): DefaultTheme.SidebarItem {
  const folder = (page.link ?? '').slice(1);
  return existsSync(`${docs}/${folder}`)
    ? { ...page, collapsed: true, items: pagesOf(folder) }
    : page;
}

/** The rules by the thing they are about: the first word of their id. */
function rulesByTopic(): DefaultTheme.SidebarItem[] {
  const groups = new Map<string, DefaultTheme.SidebarItem[]>();
  for (const page of pagesOf('rules')) {
    const topic = /[^/]+$/.exec(page.link ?? '')?.[0].split('-')[0] ?? '';
    groups.set(topic, [...(groups.get(topic) ?? []), page]);
  }
  return [...groups].map(([text, items]) => folded(text, items));
}

/**
 * The guides by what the reader wants to do; a new page is in the second group until it is named in
 * another one.
 */
const paths: Readonly<Record<string, readonly string[]>> = {
  'Get started': ['tour', 'install', 'first-project', 'environments', 'sandbox'],
  'Every day': [
    'who-gets-in',
    'accept-a-finding',
    'write-a-rule',
    'check-what-is-there',
    'ci',
    'editors',
    'draw-a-picture',
    'move-and-rename',
  ],
  'The sign-in layer': ['put-it-in-front-of-any-app', 'ask-from-another-proxy', 'images'],
  'Moving in and out': [
    'coming-from-terraform',
    'coming-from-az-scripts',
    'coming-from-the-clouds-layer',
    'mix-with-raw-cdktf',
    'cdktn',
    'leaving',
  ],
};
const forContributors = ['add-a-property', 'add-a-kind'];
const named = new Set([...Object.values(paths).flat(), ...forContributors]);
const guidePages = pagesOf('guides');
const guideOf = (name: string): DefaultTheme.SidebarItem[] =>
  guidePages.filter((page) => page.link === `/guides/${name}`);
const guides = Object.entries(paths).map(([text, names]) => ({
  text,
  items: [
    ...names.flatMap(guideOf),
    ...(text === 'Every day'
      ? guidePages.filter((page) => !named.has((page.link ?? '').slice('/guides/'.length)))
      : []),
  ],
}));
const reference = {
  text: 'Reference',
  items: [
    ...pagesOf('reference', ['configuration', 'constructs']).map(withParts),
    { text: 'Security of the auth sidecar', link: '/security' },
    { text: 'Advisories of other sign-in proxies', link: '/security/advisories' },
  ],
};
const rules = {
  text: 'Rules',
  items: [{ text: 'All rules', link: '/rules/index' }, ...rulesByTopic()],
};
const contributors = {
  text: 'Contributors',
  items: [
    ...forContributors.flatMap(guideOf),
    { text: 'Benchmarks', link: '/benchmarks' },
    ...pagesOf('contributing'),
    folded('Decisions', pagesOf('adr')),
  ],
};

/** HTML that Vue shows as it is. */
function literal(html: string): string {
  return html.includes('{{') ? `<span v-pre>${html}</span>` : html;
}

/** Pages that only contributors look for; the search of readers leaves them out. */
function isForContributors(page: string): boolean {
  return (
    /^(adr|contributing)\/|^benchmarks\.md$/.test(page) ||
    forContributors.some((name) => page === `guides/${name}.md`)
  );
}

export default withMermaid({
  title: 'Castellan',
  description:
    'Know who gets into your app before you merge: sign-in, groups and event streams as code',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  srcDir: '..',
  srcExclude: ['site/**'],
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  cleanUrls: true,
  // The pages are outside of this folder, so that Vue would not be found from them.
  vite: {
    resolve: {
      alias: [
        {
          find: /^vue(?=$|\/)/,
          replacement: fileURLToPath(new URL('../node_modules/vue', import.meta.url)),
        },
      ],
    },
    // Vue's own version of it: the one that is found from the pages belongs to the tests of the
    // product.
    ssr: { noExternal: ['estree-walker'] },
    build: { chunkSizeWarningLimit: 2000 }, // Mermaid, loaded by pages with a picture only
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Shiki has no grammar of Rego; Python's knows its comments, texts and most of its keywords.
    languageAlias: { rego: 'python' },
    // The pages are plain Markdown that reads the same on GitHub: neither tags nor {{ }} in them
    // are instructions to Vue.
    html: false,
    attrs: { disable: true },
    config: (md) => {
      for (const rule of ['text', 'code_inline'] as const) {
        const render = md.renderer.rules[rule]!;
        md.renderer.rules[rule] = (...args) => literal(render(...args));
      }
      // a diagram scrolls on a phone, so that the keyboard has to reach it
      const fence = md.renderer.rules.fence!;
      md.renderer.rules.fence = (...args) =>
        fence(...args).replace('<Mermaid ', '<Mermaid tabindex="0" ');
    },
  },
  // Pages may point at files of the repository, which the site doesn't serve. Every other dead link
  // ends the build.
  ignoreDeadLinks: [/\/examples\//, /\/ARCHITECTURE/, /\/CONTRIBUTING/, /^http:\/\/localhost/],
  // names of resources stay on one line, and a phone scrolls instead of shrinking them
  mermaid: { flowchart: { wrappingWidth: 480, useMaxWidth: false } },
  themeConfig: {
    logo: '/favicon.svg',
    search: {
      provider: 'local',
      options: {
        _render: (source, env, md) =>
          isForContributors(env.relativePath) ? '' : md.render(source, env),
      },
    },
    nav: [
      { text: 'Guides', link: '/guides/tour', activeMatch: '/guides/' },
      { text: 'Reference', link: '/reference/configuration', activeMatch: '/reference/' },
      { text: 'Rules', link: '/rules/index', activeMatch: '/rules/' },
      { text: 'Contributors', link: '/benchmarks', activeMatch: '/(adr|benchmarks|contributing)' },
    ],
    sidebar: [...guides, reference, rules, contributors],
    outline: { level: [2, 3] },
    // what a screen reader says and what is shown are the same words
    notFound: { linkLabel: 'Take me home' },
  },
});
