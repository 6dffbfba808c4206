import { parse } from 'yaml';
import { completionsAt } from '../../../cli/lsp/completion.js';
import type { StackConfig } from '../../../policies/index.js';

const app = `version: 1
stack: shop
containerApps:
  web:
    image: web:1
    secrets: { codehost: "\${env:CODEHOST}", db: "\${env:DB}" }
    env: { DB: { secret: a } }
    auth:
      redirectTo: a
      providers:
        directory: { clientId: a }
        search: { clientId: b, enabled: false }
        openIdConnect: { okta: { clientId: c } }
`;
const offeredLabels = (text: string, after: string): readonly string[] => {
  const config = parse(text) as StackConfig;
  const context = { configs: [config], documentValues: [config], isPolicy: false };
  return completionsAt(text, text.indexOf(after) + after.length, context).map(({ label }) => label);
};

describe('completion in an app', () => {
  it('offers the enabled providers where browsers are sent to one', () => {
    expect(offeredLabels(app, 'redirectTo: ')).toEqual(['directory', 'okta']);
  });

  it("offers the app's own secrets where one is referred to", () => {
    expect(offeredLabels(app, 'secret: ')).toEqual(['codehost', 'db']);
  });

  it.each([
    'providers: 3',
    'providers:',
    'providers: { openIdConnect: }',
    'providers: { openIdConnect: { okta: } }',
    '',
  ])('offers nothing where the sign-in layer has only %s', (providers) => {
    const text = `version: 1\nstack: s\ncontainerApps:\n  web:\n    auth:\n      redirectTo: a\n      ${providers}\n`;
    expect(offeredLabels(text, 'redirectTo: ')).toEqual([]);
  });
});
