/** The lines with an indentation before each. */
function indent(lines: string, indentation: string): string {
  return lines
    .split('\n')
    .map((line) => indentation + line)
    .join('\n');
}

/** A stack with an app that has no mistakes, with more settings of the app, and more sections. */
export function app(settings: string, sections = ''): string {
  return `containerApps:\n  shop:\n    image: ghcr.io/c/s:1.0.0\n    targetPort: 80\n${indent(settings, '    ')}\n${sections}`;
}

/** A stack with an app that is reached from outside. */
export function servedApp(settings: string, sections = ''): string {
  return app(`ingress: { external: true }\n${settings}`, sections);
}

/** A stack with an app that is reached from outside, with settings of its sign-in layer. */
export function signIn(settings: string, sections = ''): string {
  return servedApp(`auth:\n${indent(settings, '  ')}`, sections);
}

/** The directory as the provider that people sign in with. */
export const directory =
  'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}" } }';

/** A stack with a group, and more sections. */
export function group(properties: string, sections = ''): string {
  return `groups: { g: { ${properties} } }\n${sections}`;
}

/** A stack with a security group that has no mistakes, with more properties. */
export function securityGroup(properties: string, sections = ''): string {
  return group(`kind: security, displayName: G, ${properties}`, sections);
}

/** A stack with a unified group that has no mistakes, with more properties. */
export function unifiedGroup(properties: string, sections = ''): string {
  return group(`kind: unified, displayName: G, ${properties}`, sections);
}

/** A principal of each kind. */
export const people =
  'principals: { ada: { user: ada@c.example }, sp: { servicePrincipal: x }, dev: { device: d }, con: { contact: c@c.example }, eg: { group: E, groupKind: security }, eu: { group: U, groupKind: unified } }';

/** A workspace with a capacity. */
export const workspace =
  'workspaces: { w: { displayName: W, capacityId: 11111111-1111-1111-1111-111111111111 } }';

/** A stack with an eventhouse, and more sections. */
export function eventhouse(properties: string, sections = ''): string {
  return `${workspace}\neventhouses: { e: { workspace: w, displayName: e, ${properties} } }\n${sections}`;
}

/** A stack with an eventstream, and more sections. */
export function eventstream(properties: string, sections = ''): string {
  return `${workspace}\neventstreams: { e: { workspace: w, displayName: e, ${properties} } }\n${sections}`;
}

/** A text in base64, as parts of definitions are written. */
export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
