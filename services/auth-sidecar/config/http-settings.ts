import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { headerNameFormat, authPathFormat } from '../../../kinds/auth/auth.js';
import { pathPatternMistake, pathPrefixOf } from '../../../kinds/auth/path-pattern.js';
import type { ConfigReader } from './config-reader.js';
import type { AllowedRedirect, ForwardingSettings } from './settings.js';

/** A path that the sidecar itself answers, without a slash at its end. */
export function pathSetting(reader: ConfigReader, property: string): string | undefined {
  const text = reader.text(property);
  if (text === undefined) return undefined;
  const path = text.replace(/\/+$/, '');
  if (new RegExp(authPathFormat.pattern).test(path)) return path;
  reader.addProblem(property, `must have ${authPathFormat.patternDescription}`);
  return undefined;
}

/** Prefixes, as of {@link pathPrefixOf}, of the paths that are reached without a sign-in. */
export function publicPaths(reader: ConfigReader, property: string): string[] {
  return reader.list(property).map((text, index) => {
    const path = text.startsWith('/') ? text : `/${text}`; // the cloud accepts paths without the slash
    const mistake = pathPatternMistake(path);
    if (mistake !== undefined) reader.addProblem(`${property}.${index}`, mistake.message);
    return pathPrefixOf(path);
  });
}

/** Names of request headers, without wildcards. */
export function headerNames(reader: ConfigReader, property: string): string[] {
  const names = reader.list(property);
  names.forEach((name, index) => {
    if (!new RegExp(headerNameFormat.pattern).test(name) || name.includes('*'))
      reader.addProblem(
        `${property}.${index}`,
        `"${name}" is not the name of a header: write each name in full, such as X-Tenant`,
      );
  });
  return names;
}

/** `httpSettings.forwardProxy`: which headers of a proxy are trusted. */
export function forwarding(reader: ConfigReader): ForwardingSettings {
  const convention = (reader.text('httpSettings.forwardProxy.convention') ??
    'NoProxy') as ForwardingSettings['convention'];
  const header = (name: string): string | undefined => {
    const property = `httpSettings.forwardProxy.${name}`;
    const value = reader.text(property);
    if (value !== undefined && !new RegExp(headerNameFormat.pattern).test(value))
      reader.addProblem(property, `must have ${headerNameFormat.patternDescription}`);
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

/** `login.allowedExternalRedirectUrls`: where browsers may be sent after signing in or out. */
export function allowedRedirects(reader: ConfigReader): AllowedRedirect[] {
  return reader.list('login.allowedExternalRedirectUrls').flatMap((text, index) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (
      url === undefined ||
      url.username !== '' ||
      url.password !== '' ||
      /^(javascript|data|vbscript|file|blob|about):$/.test(url.protocol)
    ) {
      reader.addProblem(
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
