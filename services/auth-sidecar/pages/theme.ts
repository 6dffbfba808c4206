import { escapeHtml } from '../../../core/text/escape-html.js';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { load } from 'js-yaml';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { isObject } from '../../../core/values/is-object.js';
import { configError, type ConfigProblem } from '../config/problems.js';
import { reasonOf } from '../operations/external-call-error.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/**
 * The texts of the pages by key; `words.yaml` in a folder of pages replaces any of them. Braces are
 * placeholders.
 */
export const defaultTexts = {
  language: 'en',
  'signIn.title': 'Sign in',
  'signIn.choose': 'Choose how to sign in.',
  'signIn.none': 'No identity provider is set up for this app.',
  'signIn.with': 'Sign in with {provider}',
  'signIn.again': 'Sign in again',
  'signIn.otherWay': 'Choose another way',
  'redirect.text': 'You are being taken to the sign-in page.',
  'redirect.continue': 'Continue',
  'signedOut.title': 'You are signed out',
  'signedOut.text': 'The app will ask who you are the next time.',
  'signedOut.back': 'Back to the app',
  'error.title': 'This did not work',
  'error.request': 'request {id}',
  'error.400': 'This request is not valid',
  'error.401': 'Sign-in is required',
  'error.403': 'You have no access',
  'error.404': 'Page not found',
  'error.405': 'Method not allowed',
  'error.421': 'Wrong host',
  'error.426': 'Another protocol is required',
  'error.502': 'A server could not be reached',
  'error.503': 'Not available right now',
  'error.504': 'A server did not answer in time',
} as const;

/**
 * The texts of the pages by key. Besides those of {@link defaultTexts}, a provider's name
 * (`provider.gitHub`) and a sentence below an error's title (`error.403.text`) may be given.
 */
export type PageTexts = Readonly<Record<keyof typeof defaultTexts, string>> &
  Readonly<Record<string, string>>;

/**
 * The style of the sidecar's pages: nothing external, light and dark, readable from a phone to a
 * large screen.
 */
export const style = `:root{color-scheme:light dark;--ink:#1d2430;--soft:#566073;--line:#d3d9e4;--card:#fff;--back:#f3f5f9;--mark:#2b57c4}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf2;--soft:#a3adbf;--line:#39435a;--card:#1c2230;--back:#121722;--mark:#8fb0ff}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;padding:clamp(1rem,12vh,7rem) 1rem 2rem;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:27rem;margin:0 auto;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:14px;overflow-wrap:anywhere}
.host{margin:0 0 .5rem;color:var(--soft);font-size:.875rem}h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}p{margin:0 0 1rem;color:var(--soft)}
ul{list-style:none;margin:1.5rem 0 0;padding:0}li+li{margin-top:.6rem}
a.button{display:block;padding:.7rem 1rem;border:1px solid var(--line);border-radius:10px;color:var(--ink);font-weight:600;text-align:center;text-decoration:none}
a.button:hover{border-color:var(--mark);color:var(--mark)}a.button:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.facts{margin:1.5rem 0 0;padding-top:1rem;border-top:1px solid var(--line);font-size:.875rem}`;

/** The look and the texts of the pages. */
export interface Theme {
  /** HTML with the placeholders of {@link placeholders}. */
  readonly template: string;
  readonly style: string;
  /** An image as `data:` URL. */
  readonly logo?: string;
  readonly texts: PageTexts;
}

/** The placeholders of a template, in double braces; `head` and `content` exactly once. */
const placeholders = ['head', 'content', 'logo', 'title', 'language'] as const;

/** The sidecar's own pages. */
export const defaultTheme: Theme = {
  template:
    '<!doctype html><html lang="{{language}}"><head>{{head}}</head><body><main>{{logo}}{{content}}</main></body></html>\n',
  style,
  texts: defaultTexts as PageTexts,
};

/** The logo files that a folder of pages may have, with their media types. */
const logoTypes: Readonly<Record<string, string>> = {
  'logo.svg': 'image/svg+xml',
  'logo.png': 'image/png',
};
const maxFileBytes = 64 * 1024;

/**
 * Reads a folder of `--pages`: `page.html`, `style.css`, `logo.svg` or `logo.png`, `words.yaml`,
 * each of which may be missing.
 *
 * @throws CAS6001 with the file and the mistake
 */
export function readTheme(folder: string): Theme {
  const problems: ConfigProblem[] = [];
  const reportProblem = (name: string, message: string): void =>
    void problems.push({ property: join(folder, name), message });
  const files = listFiles(folder);
  const read = (name: string): Buffer | undefined => {
    if (!files.includes(name)) return undefined;
    const file = join(folder, name);
    try {
      if (statSync(file).size <= maxFileBytes) return readFileSync(file);
      reportProblem(name, `is larger than ${maxFileBytes / 1024} KiB`);
    } catch (error) {
      reportProblem(name, `can't be read: ${reasonOf(error)}`);
    }
    return undefined;
  };
  const template = read('page.html')?.toString('utf8');
  if (template !== undefined)
    for (const message of templateMistakes(template)) reportProblem('page.html', message);
  const css = read('style.css')?.toString('utf8');
  if (css !== undefined && /<\/style|<!--/i.test(css))
    reportProblem('style.css', 'must not hold </style or <!--');
  const texts = parseTexts(read('words.yaml')?.toString('utf8'), (message) =>
    reportProblem('words.yaml', message),
  );
  const [logo] = Object.entries(logoTypes).flatMap(([name, type]) => {
    const bytes = read(name);
    return bytes === undefined ? [] : [`data:${type};base64,${bytes.toString('base64')}`];
  });
  if (problems.length > 0) throw configError(folder, problems);
  return {
    template: template ?? defaultTheme.template,
    style: css ?? style,
    texts,
    ...omitUndefined({ logo }),
  };
}

function listFiles(folder: string): string[] {
  if (existsSync(folder) && statSync(folder).isDirectory()) return readdirSync(folder);
  throw configError(folder, [{ property: '--pages', message: `${folder} is not a folder` }]);
}

function templateMistakes(template: string): string[] {
  const mistakes: string[] = [];
  const count = new Map<string, number>();
  for (const { 1: name = '', index } of template.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)) {
    count.set(name, (count.get(name) ?? 0) + 1);
    if ((placeholders as readonly string[]).includes(name)) continue;
    const line = template.slice(0, index).split('\n').length;
    const suggestion = nearest(name, placeholders);
    mistakes.push(
      `line ${line}: {{${name}}} is not known${suggestion === undefined ? `; allowed: ${placeholders.join(', ')}` : `, did you mean {{${suggestion}}}?`}`,
    );
  }
  for (const name of ['head', 'content'])
    if (count.get(name) !== 1) mistakes.push(`needs {{${name}}} exactly once`);
  // The pages' content security policy would block these without telling anyone.
  const script =
    /<(script|iframe|object|embed|base|form|meta\s+http-equiv)\b|\son[a-z]+\s*=|javascript:/i.exec(
      template,
    );
  if (script !== null) {
    const line = template.slice(0, script.index).split('\n').length;
    mistakes.push(
      `line ${line}: ${script[0].trim()} is not allowed: the pages run no scripts and load nothing from elsewhere`,
    );
  }
  return mistakes;
}

function parseTexts(text: string | undefined, reportProblem: (message: string) => void): PageTexts {
  if (text === undefined) return defaultTheme.texts;
  let document: unknown;
  try {
    document = load(text) ?? {};
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    reportProblem(`can't be parsed: ${reason}`);
    return defaultTheme.texts;
  }
  if (!isObject(document)) {
    reportProblem('must be an object of texts by their keys');
    return defaultTheme.texts;
  }
  const replacements = Object.entries(document).filter(([key, value]) => {
    const isKnown =
      Object.hasOwn(defaultTexts, key) ||
      /^(provider\.[\w-]{1,64}|error\.[45]\d\d(\.text)?)$/.test(key);
    if (!isKnown)
      reportProblem(
        `${key}: is not a known text${didYouMean(nearest(key, Object.keys(defaultTexts)), '', ',')}`,
      );
    else if (typeof value !== 'string') reportProblem(`${key}: must be a string`);
    else if (key === 'language' && !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(value))
      reportProblem(`${key}: must be a language such as en or de-CH`);
    return isKnown;
  });
  return { ...defaultTexts, ...Object.fromEntries(replacements as [string, string][]) };
}

/**
 * A page's HTML: each placeholder is replaced once, and inserted text is never treated as a
 * placeholder.
 */
export function renderTemplate(
  { template, logo, texts }: Theme,
  title: string,
  head: string,
  content: string,
): string {
  const values: Readonly<Record<string, string>> = {
    head,
    content,
    title: escapeHtml(title),
    language: escapeHtml(texts.language),
    logo: logo === undefined ? '' : `<img class="logo" alt="" src="${logo}">`,
  };
  return template.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, name: string) => values[name] ?? '');
}

/** A source of a content security policy: exactly this style or script. */
export function cspHashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * A whole page with the content security policy that allows nothing but its own style, script and
 * picture.
 */
export interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}
