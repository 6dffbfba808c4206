// Constructs and synthesizes the same groups on one class of stacks: node synthesize.mjs fast|plain
// COUNT FOLDER [imports | dependent | independent]. Prints the time of construction and synthesis,
// without loading the modules.
import { createRequire } from 'node:module';

const [, , kind, count, outdir, more] = process.argv;
const require = createRequire(import.meta.url);
const { App, TerraformStack } = require('cdktf');
const { Group } = require('@cdktf/provider-azuread/lib/group');
const { AzureadProvider } = require('@cdktf/provider-azuread/lib/provider');
const Stack =
  kind === 'fast' ? require('../../dist/constructs/index.js').FastStack : TerraformStack;
const owners = ['0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60', '1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071'];

const [before, clock] = [process.cpuUsage(), performance.now()];
const app = new App({ outdir });
const stack = new Stack(app, 'groups');
new AzureadProvider(stack, 'azuread', {});
for (let index = 0; index < Number(count); index++) {
  const name = `group-${index}`;
  const group = new Group(stack, name, {
    displayName: name,
    description: name,
    mailNickname: name,
    securityEnabled: true,
    owners,
    members: owners,
  });
  if (more === 'imports') group.importFrom(name);
}
if (more === 'dependent' || more === 'independent') {
  const stacks = Array.from({ length: 28 }, (_, index) => new Stack(app, `stack-${index}`));
  if (more === 'dependent')
    stacks.forEach((each, index) =>
      stacks.slice(0, index).forEach((other) => each.addDependency(other)),
    );
}
app.synth();
const { user, system } = process.cpuUsage(before);
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(
  JSON.stringify({ wall: performance.now() - clock, processor: (user + system) / 1000, megabytes }),
);
