/** Lines, further to the right. */
function indented(lines: string, by: string): string {
  return lines
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}

/** A stack with a sound app, with more settings of it, and more sections. */
export function app(more: string, sections = ''): string {
  return `containerApps:\n  shop:\n    image: ghcr.io/c/s:1.0.0\n    targetPort: 80\n${indented(more, '    ')}\n${sections}`;
}

/** The same of an app that is reached from outside. */
export function servedApp(more: string, sections = ''): string {
  return app(`ingress: { external: true }\n${more}`, sections);
}

/** The same with settings of the sign-in layer. */
export function signIn(settings: string, sections = ''): string {
  return servedApp(`auth:\n${indented(settings, '  ')}`, sections);
}

/** The directory as the provider that people sign in with. */
export const directory =
  'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}" } }';

/** A stack with a group, and more sections. */
export function group(properties: string, sections = ''): string {
  return `groups: { g: { ${properties} } }\n${sections}`;
}

/** The same with a security group that is sound without more properties. */
export function securityGroup(properties: string, sections = ''): string {
  return group(`kind: security, displayName: G, ${properties}`, sections);
}

/** The same with a unified group. */
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
