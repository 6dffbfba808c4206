import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemsOf, readTheme } from '../../../services/auth-sidecar/index.js';
import { Pages } from '../../../services/auth-sidecar/pages/pages.js';
import { directoryConfig, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, type RawAnswer, request } from './support/raw-client.js';

const root = mkdtempSync(join(tmpdir(), 'sidecar-pages-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

function createFolder(files: Readonly<Record<string, string>>): string {
  const path = join(root, String(++count));
  mkdirSync(path);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const corporateFiles = {
  'page.html':
    '<!doctype html><html lang="{{language}}"><head>{{ head }}</head><body><header>{{logo}} Contoso</header>{{content}}<footer>{{title}}</footer></body></html>',
  'style.css': 'body{color:#123}',
  'logo.svg': svg,
  'words.yaml':
    'language: de\nsignIn.title: Anmelden & mehr\nsignIn.with: Mit {provider} anmelden\nprovider.gitHub: GitHub\nerror.404.text: Hier ist nichts.\n',
  'README.md': '{{nothing}}',
};

const themeProblems = (files: Readonly<Record<string, string>>): string[] => {
  try {
    readTheme(createFolder(files));
    return [];
  } catch (error) {
    return problemsOf(error).map(
      ({ property, message }) => `${property.split('/').at(-1) ?? ''}: ${message}`,
    );
  }
};

describe('a folder of pages', () => {
  test('provides template, style, logo and words, and is read again at a reload', async () => {
    const idp = await new TestIdentityProvider().start();
    const pages = createFolder({ ...corporateFiles });
    const gitHub = { registration: { clientId: 'x' } };
    const config = directoryConfig(idp) as { identityProviders: Record<string, unknown> };
    const sidecar = await startUnderTest({
      config: { identityProviders: { ...config.identityProviders, gitHub } },
      upstream: 'http://127.0.0.1:9',
      options: { pages },
    });
    const get = (path: string): Promise<RawAnswer> =>
      request(sidecar.url, { path, headers: { ...browser } });
    const answer = await get('/.auth/login');
    expect(answer.body).toContain('<html lang="de">');
    expect(answer.body).toContain('<style>body{color:#123}</style>');
    expect(answer.body).toContain('<h1>Anmelden &#38; mehr</h1>');
    expect(answer.body).toContain('<footer>Anmelden &#38; mehr</footer>');
    expect(answer.body).toContain('Mit GitHub anmelden');
    expect(answer.body).toContain('Mit the directory anmelden');
    expect(answer.body).toContain(
      `src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}"`,
    );
    const style = createHash('sha256').update('body{color:#123}').digest('base64');
    expect(answer.headers['content-security-policy']?.[0]).toContain(
      `default-src 'none'; style-src 'sha256-${style}'; img-src data:; base-uri`,
    );
    expect((await get('/.auth/nothing')).body).toContain('<p>Hier ist nichts.</p>');
    writeFileSync(join(pages, 'words.yaml'), 'signIn.title: Hereinspaziert');
    sidecar.reload();
    expect((await get('/.auth/login')).body).toContain('<h1>Hereinspaziert</h1>');
    writeFileSync(join(pages, 'page.html'), 'broken');
    sidecar.reload();
    expect((await get('/.auth/login')).body).toContain('<h1>Hereinspaziert</h1>');
    await sidecar.stop();
    await idp.close();
  });

  test('may contain only some of the files', () => {
    expect(themeProblems({})).toEqual([]);
    expect(
      new Pages(readTheme(createFolder({ 'words.yaml': 'signIn.title: Hello' }))).signIn('h', [])
        .html,
    ).toContain('<h1>Hello</h1>');
  });

  test('that is missing, or invalid, is an error that names file, line and the correction', () => {
    expect(() => readTheme(join(root, 'none'))).toThrow(/--pages: .* is not a folder/);
    expect(themeProblems({ 'page.html': '<head>{{head}}</head>\n{{contents}}' })).toEqual([
      'page.html: line 2: {{contents}} is not known, did you mean {{content}}?',
      'page.html: needs {{content}} exactly once',
    ]);
    expect(themeProblems({ 'page.html': '{{head}}{{content}}{{content}}' })).toEqual([
      'page.html: needs {{content}} exactly once',
    ]);
    expect(
      themeProblems({
        'words.yaml': 'signin.title: x\nerror.title: 7\nlanguage: "en\\"><script>"',
      }),
    ).toEqual([
      'words.yaml: signin.title: is not a known text, did you mean "signIn.title"?',
      'words.yaml: error.title: must be a string',
      'words.yaml: language: must be a language such as en or de-CH',
    ]);
    expect(themeProblems({ 'words.yaml': 'a: [' })[0]).toContain("can't be parsed");
    expect(themeProblems({ 'words.yaml': '- signIn.title: x' })).toEqual([
      'words.yaml: must be an object of texts by their keys',
    ]);
    const folder = createFolder({});
    mkdirSync(join(folder, 'page.html'));
    expect(() => readTheme(folder)).toThrow("page.html: can't be read: EISDIR");
    expect(themeProblems({ 'style.css': `/*${'x'.repeat(70_000)}*/` })).toEqual([
      'style.css: is larger than 64 KiB',
    ]);
  });

  test.each([
    '<script>alert(1)</script>',
    '<SCRIPT src=x>',
    '<body onload=alert(1)>',
    '<a href="javascript:alert(1)">',
    '<base href="https://evil.example">',
    '<iframe src=x>',
    '<form action="https://evil.example">',
  ])('must not hold %s', (html) => {
    expect(themeProblems({ 'page.html': `{{head}}{{content}}\n${html}` })).toEqual([
      expect.stringMatching(/^page\.html: line 2: .* is not allowed/),
    ]);
  });
});

describe('what is put into a template', () => {
  const pages = new Pages(
    readTheme(
      createFolder({
        'page.html': '<i>{{head}}</i>{{content}}<b>{{title}}</b>',
        'words.yaml': 'signIn.title: "{{content}} $& {host}"',
      }),
    ),
  );

  test('is never interpreted as a placeholder, a pattern, or HTML', () => {
    const hostile = '{{logo}}{{content}} $& $1 <script>alert(1)</script>"\'`';
    const { html } = pages.error(400, hostile, hostile, [{ label: hostile, href: hostile }]);
    expect(html).not.toContain('<script>');
    expect(html.match(/<p>/g)).toHaveLength(1);
    expect(html).toContain(
      '{{logo}}{{content}} $&#38; $1 &#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#96;',
    );
    const signIn = pages.signIn(hostile, []).html;
    expect(signIn.match(/<h1>/g)).toHaveLength(1);
    expect(signIn).toContain('<b>{{content}} $&#38; {host}</b>');
  });

  test.each(['</style><script>alert(1)</script>', '<!-- x'])(
    'a style with %s is refused',
    (css) => {
      expect(themeProblems({ 'style.css': css })).toEqual([
        'style.css: must not hold </style or <!--',
      ]);
    },
  );
});
