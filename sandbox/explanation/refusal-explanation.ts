import type { DirectoryGet } from '../../access/directory/read-person.js';
import type { SignInTarget } from '../identity-provider/refusals.js';
import { html } from '../html.js';
import type { SandboxPaths } from '../paths.js';
import { requestIdOfPage, withExplanation } from './sidecar-theme.js';
import type { CreateConsoleLink } from './explanation-section.js';
import type { RecentSignIns } from './recent-sign-ins.js';

/** A page, perhaps of a sign-in layer, that the ingress is about to pass on. */
export interface AnsweredPage {
  /** The app's name. */
  readonly app: string;
  /** Path and query of the request. */
  readonly url: string;
  readonly status: number;
  /** Its HTML. */
  readonly page: string;
}

/** Adds the reasons of a refusal to a page of a sign-in layer; returns other pages as they are. */
export type ExplainPage = (answer: AnsweredPage) => Promise<string>;

/** The parts of the sandbox that an explanation needs. */
export interface ExplanationContext {
  readonly paths: SandboxPaths;
  readonly tenantId: string;
  readonly signIns: RecentSignIns;
  /** The object id of the person who made a request; undefined if that is not known. */
  readonly findPerson: (requestId: string) => Promise<string | undefined>;
  readonly readDirectory: DirectoryGet;
  readonly createConsoleLink: CreateConsoleLink;
  /** The sandbox's time in milliseconds since 1970. */
  readonly now: () => number;
  /** The declared app of this name. */
  readonly findApp: (name: string) => SignInTarget | undefined;
  /** Called when the reasons could not be found. */
  readonly onError: (error: unknown) => void;
}

/** Explains the refusals of the sandbox's sign-in layers on their own pages. */
export function explainRefusals(context: ExplanationContext): ExplainPage {
  return async ({ app, url, status, page }) => {
    const requestId = requestIdOfPage(page);
    if (requestId === undefined) return page;
    const { createConsoleLink } = context;
    const reasons = status === 403 ? await reasonsHtml({ app, url, requestId }, context) : '';
    return withExplanation(page, reasons, html`${createConsoleLink(`traces/${requestId}`)}`.text);
  };
}

/** The reasons of a refusal as HTML; empty where they can't be determined. */
async function reasonsHtml(
  {
    app,
    url,
    requestId,
  }: { readonly app: string; readonly url: string; readonly requestId: string },
  context: ExplanationContext,
): Promise<string> {
  const { paths, signIns, createConsoleLink, now, findApp, onError } = context;
  const target = findApp(app);
  if (target === undefined) return '';
  try {
    const signIn = signIns.findByCallbackUrl(url);
    const person = signIn?.personId ?? (await context.findPerson(requestId));
    if (person === undefined) return '';
    // Loaded with the first refusal, since these modules load the readers of the project.
    const [{ SourceLinks }, { simulate }, { explanationSection }] = await Promise.all([
      import('./source-links.js'),
      import('./simulation.js'),
      import('./explanation-section.js'),
    ]);
    // At the end of a sign-in, the request is for a path of the sign-in layer itself.
    const path = signIn === undefined ? (url.split(/[?#]/, 1)[0] ?? '/') : '/';
    const simulation = await simulate(
      { app: target, path, person },
      { ...context, sourceLinks: await SourceLinks.read(paths), now: now() },
    );
    // A person of another provider isn't in the directory, so that nothing is known about them.
    if (simulation.person === undefined || simulation.allowed === 'unknown') return '';
    return explanationSection(simulation, createConsoleLink).text;
  } catch (error) {
    onError(error); // the page is shown without the reasons
    return '';
  }
}
