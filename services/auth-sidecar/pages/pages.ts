import { escapeHtml } from '../../../core/text/escape-html.js';
import { cspHashSource, type Page, renderTemplate, type Theme } from './theme.js';

/** A link of a page. */
export interface PageLink {
  readonly label: string;
  readonly href: string;
}

/** The sidecar's pages in one theme. */
export class Pages {
  private readonly styleSource: string;

  constructor(private readonly theme: Theme) {
    this.styleSource = cspHashSource(theme.style);
  }

  /** The text of a key, with values for the placeholders in braces. */
  text(key: string, values: Readonly<Record<string, string>> = {}): string {
    return (this.theme.texts[key] ?? '').replace(
      /\{(\w+)\}/g,
      (whole, name: string) => values[name] ?? whole,
    );
  }

  /** The text of a link to a provider. @param label the provider's name if the texts have none */
  signInWith(key: string, label: string): string {
    return this.text('signIn.with', { provider: this.theme.texts[`provider.${key}`] ?? label });
  }

  /** The page of an answer of the sidecar itself. */
  error(status: number, message: string, requestId: string, links: readonly PageLink[] = []): Page {
    const title = this.theme.texts[`error.${status}`] ?? this.text('error.title');
    const text = this.theme.texts[`error.${status}.text`] ?? message;
    const request = escapeHtml(this.text('error.request', { id: requestId }));
    const facts = `<p class="facts">${status} &middot; ${request}</p>`;
    return this.page(
      title,
      `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${buttons(links)}${facts}`,
    );
  }

  /** The page that lists the providers. @param host the host to sign in to */
  signIn(host: string, links: readonly PageLink[]): Page {
    const title = this.text('signIn.title');
    const choice = `<p>${escapeHtml(this.text(links.length === 0 ? 'signIn.none' : 'signIn.choose'))}</p>${buttons(links)}`;
    return this.page(
      title,
      `<p class="host">${escapeHtml(host)}</p><h1>${escapeHtml(title)}</h1>${choice}`,
    );
  }

  /** The page after signing out. */
  signedOut(host: string): Page {
    const title = this.text('signedOut.title');
    const back = buttons([{ label: this.text('signedOut.back'), href: '/' }]);
    const text = escapeHtml(this.text('signedOut.text'));
    return this.page(
      title,
      `<p class="host">${escapeHtml(host)}</p><h1>${escapeHtml(title)}</h1><p>${text}</p>${back}`,
    );
  }

  /**
   * The page that keeps the URL's fragment, which browsers do not send, during the sign-in.
   *
   * @param loginUrl with `post_login_redirect_uri` as its last parameter.
   */
  redirectKeepingFragment(loginUrl: string): Page {
    const script = `var a=document.querySelector('a.button');var h=location.hash;location.replace(a.getAttribute('href')+(h?encodeURIComponent(h):''));`;
    const title = this.text('signIn.title');
    const go = buttons([{ label: this.text('redirect.continue'), href: loginUrl }]);
    return this.page(
      title,
      `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(this.text('redirect.text'))}</p>${go}`,
      script,
    );
  }

  /**
   * A whole page.
   *
   * @param title plain text.
   * @param body HTML, already escaped.
   * @param script runs on the page; the policy allows it by its hash.
   */
  private page(title: string, body: string, script?: string): Page {
    const policy = [
      `default-src 'none'`,
      `style-src ${this.styleSource}`,
      ...(this.theme.logo === undefined ? [] : ['img-src data:']),
      ...(script === undefined ? [] : [`script-src ${cspHashSource(script)}`]),
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
    ].join('; ');
    const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${this.theme.style}</style>`;
    return {
      html: renderTemplate(
        this.theme,
        title,
        head,
        `${body}${script === undefined ? '' : `<script>${script}</script>`}`,
      ),
      contentSecurityPolicy: policy,
    };
  }
}

function buttons(links: readonly PageLink[]): string {
  if (links.length === 0) return '';
  const items = links.map(
    ({ label, href }) =>
      `<li><a class="button" rel="nofollow" href="${escapeHtml(href)}">${escapeHtml(label)}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}
