import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { headerNameFormat, authPathFormat } from '../../../kinds/auth/auth.js';
import { excludedPathMistake, excludedPrefix } from '../../../kinds/auth/excluded-path.js';
import type { ConfigReader } from './reader.js';
import type { AllowedRedirect, ForwardingSettings } from './settings.js';

/** A path of the sidecar's own, without a slash at its end. */
export function pathSetting(reader: ConfigReader, at: string): string | undefined {
  const text = reader.text(at);
  if (text === undefined) return undefined;
  const path = text.replace(/\/+$/, '');
  if (new RegExp(authPathFormat.pattern).test(path)) return path;
  reader.problem(at, `must have ${authPathFormat.patternDescription}`);
  return undefined;
}

/** Paths without a sign-in, in lower case. */
export function publicPaths(reader: ConfigReader, at: string): string[] {
  return reader.list(at).map((text, index) => {
    const path = text.startsWith('/') ? text : `/${text}`; // the cloud accepts paths without the slash
    const mistake = excludedPathMistake(path);
    if (mistake !== undefined) reader.problem(`${at}.${index}`, mistake.message);
    return excludedPrefix(path);
  });
}

/** Whole names of request headers. */
export function headerNames(reader: ConfigReader, at: string): string[] {
  const names = reader.list(at);
  names.forEach((name, index) => {
    if (!new RegExp(headerNameFormat.pattern).test(name) || name.includes('*'))
      reader.problem(
        `${at}.${index}`,
        `"${name}" is not the name of a header: each is written in full, as X-Tenant is`,
      );
  });
  return names;
}

/** `httpSettings.forwardProxy`: which headers of a proxy are trusted. */
export function forwarding(reader: ConfigReader): ForwardingSettings {
  const convention = (reader.text('httpSettings.forwardProxy.convention') ??
    'NoProxy') as ForwardingSettings['convention'];
  const header = (name: string): string | undefined => {
    const at = `httpSettings.forwardProxy.${name}`;
    const value = reader.text(at);
    if (value !== undefined && !new RegExp(headerNameFormat.pattern).test(value))
      reader.problem(at, `must have ${headerNameFormat.patternDescription}`);
    return convention === 'Custom' ? value?.toLowerCase() : undefined;
  };
  const [hostHeader, protoHeader] = [
    header('customHostHeaderName'),
    header('customProtoHeaderName'),
  ];
  return {
    convention,
    ...omitUndefined({ hostHeader, protoHeader }),
  };
}

/** `login.allowedExternalRedirectUrls`. */
export function allowedRedirects(reader: ConfigReader): AllowedRedirect[] {
  return reader.list('login.allowedExternalRedirectUrls').flatMap((text, index) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (
      url === undefined ||
      url.username !== '' ||
      url.password !== '' ||
      /^(javascript|data|vbscript|file|blob|about):$/.test(url.protocol)
    ) {
      reader.problem(
        `login.allowedExternalRedirectUrls.${index}`,
        'must be an absolute URL such as https://portal.example/welcome',
      );
      return [];
    }
    return [
      { base: `${url.protocol}//${url.host}`, path: url.pathname === '' ? '/' : url.pathname },
    ];
  });
}
