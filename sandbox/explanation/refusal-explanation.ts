import type { AskDirectory } from '../../access/directory/read-person.js';
import type { SignInTarget } from '../identity-provider/refusals.js';
import { html } from '../html.js';
import type { SandboxPaths } from '../paths.js';
import { requestOfPage, withExplanation } from './layer-pages.js';
import type { ConsoleLink } from './explanation-section.js';
import type { RecentSignIns } from './recent-sign-ins.js';

/** The answer of a sign-in layer that the ingress is about to pass on. */
export interface LayerAnswer {
  readonly app: string;
  /** The address that was asked for, with its query. */
  readonly url: string;
  readonly status: number;
  readonly page: string;
}

/** Replaces a page of a sign-in layer by one that says why; other pages stay as they are. */
export type ExplainAnswer = (answer: LayerAnswer) => Promise<string>;

/** What an explanation is made of. */
export interface ExplanationContext {
  readonly paths: SandboxPaths;
  readonly tenantId: string;
  readonly signIns: RecentSignIns;
  /** Who made the request with a number, by a session; undefined if that is not known. */
  readonly findPerson: (requestId: string) => Promise<string | undefined>;
  readonly ask: AskDirectory;
  readonly link: ConsoleLink;
  readonly now: () => number;
  readonly findApp: (name: string) => SignInTarget | undefined;
  /** Called when the reasons could not be found. */
  readonly onError: (error: unknown) => void;
}

/** Explains the refusals of the sandbox's sign-in layers on their own pages. */
export function explainRefusals(context: ExplanationContext): ExplainAnswer {
  return async ({ app, url, status, page }) => {
    const id = requestOfPage(page);
    if (id === undefined) return page;
    const { link } = context;
    const reasons = status === 403 ? await reasonsOf({ app, url, id }, context) : '';
    return withExplanation(page, reasons, html`${link(`traces/${id}`)}`.text);
  };
}

async function reasonsOf(
  { app, url, id }: { readonly app: string; readonly url: string; readonly id: string },
  context: ExplanationContext,
): Promise<string> {
  const { paths, signIns, link, now, findApp, onError } = context;
  const target = findApp(app);
  if (target === undefined) return '';
  try {
    const signIn = signIns.find(url);
    const person = signIn?.personId ?? (await context.findPerson(id));
    if (person === undefined) return '';
    // Loaded with the first refusal: it reads the project.
    const [{ SourceLinks }, { simulate }, { pictureOf }] = await Promise.all([
      import('./source-links.js'),
      import('./simulation.js'),
      import('./explanation-section.js'),
    ]);
    // After a sign-in, the address is that of the sign-in layer itself.
    const path = signIn === undefined ? (url.split(/[?#]/, 1)[0] ?? '/') : '/';
    const simulation = await simulate(
      { app: target, path, person },
      { ...context, places: await SourceLinks.read(paths), now: now() },
    );
    // Somebody of another provider isn't in the directory, so that nothing is known of them.
    if (simulation.person === undefined || simulation.allowed === 'unknown') return '';
    return pictureOf(simulation, link).text;
  } catch (error) {
    onError(error); // the page stays right without the reasons
    return '';
  }
}
