// Constructs and synthesizes COUNT groups in a FastStack of Castellan or a TerraformStack of cdktf:
// node synthesize.mjs fast|plain COUNT FOLDER [imports | dependent | independent]. `imports` imports
// each group; `dependent` and `independent` add 28 empty stacks. Prints as JSON the milliseconds of
// construction and synthesis (elapsed, and of the processor; not those of loading the modules) and
// the memory.
import { createRequire } from 'node:module';

const [, , stackClass, count, outdir, variant] = process.argv;
const require = createRequire(import.meta.url);
const { App, TerraformStack } = require('cdktf');
const { Group } = require('@cdktf/provider-azuread/lib/group');
const { AzureadProvider } = require('@cdktf/provider-azuread/lib/provider');
const Stack =
  stackClass === 'fast' ? require('../../dist/constructs/index.js').FastStack : TerraformStack;
const owners = ['0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60', '1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071'];

const [startUsage, startTime] = [process.cpuUsage(), performance.now()];
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
  if (variant === 'imports') group.importFrom(name);
}
if (variant === 'dependent' || variant === 'independent') {
  const stacks = Array.from({ length: 28 }, (_, index) => new Stack(app, `stack-${index}`));
  if (variant === 'dependent')
    stacks.forEach((each, index) =>
      stacks.slice(0, index).forEach((other) => each.addDependency(other)),
    );
}
app.synth();
const { user, system } = process.cpuUsage(startUsage);
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(
  JSON.stringify({
    wall: performance.now() - startTime,
    processor: (user + system) / 1000,
    megabytes,
  }),
);
