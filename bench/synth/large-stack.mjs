// How long it takes to synthesize a stack of many groups, side by side with as many resources of bare cdktf in one run.
// node bench/synth/large-stack.mjs [groups]    (after npm run build)
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { synthesize } = require('../../dist/stacks/index.js');
const { App, TerraformStack } = require('cdktf');
const { Group } = require('@cdktf/provider-azuread/lib/group');
const { AzureadProvider } = require('@cdktf/provider-azuread/lib/provider');

const count = Number(process.argv[2] ?? 1000);
/** How much longer than bare cdktf: everything is checked as well. */
const budget = 2;
const names = Array.from({ length: count }, (_, index) => `group-${index}`);
const owners = ['0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60', '1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071'];

function ours(outdir) {
  const groups = Object.fromEntries(names.map((name) => [name, { kind: 'security', displayName: name, owners, members: owners }]));
  synthesize({ stacks: [{ config: { version: 1, stack: 'large', groups } }], outdir, env: {} });
}

function bare(outdir) {
  const app = new App({ outdir });
  const stack = new TerraformStack(app, 'large');
  new AzureadProvider(stack, 'azuread', {});
  for (const name of names)
    new Group(stack, name, {
      displayName: name,
      mailNickname: name,
      description: name,
      securityEnabled: true,
      mailEnabled: false,
      owners,
      members: owners,
    });
  app.synth();
}

function seconds(work) {
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
  const before = process.cpuUsage();
  work(outdir);
  const { user, system } = process.cpuUsage(before);
  rmSync(outdir, { recursive: true });
  return (user + system) / 1e6;
}

const best = (work) => Math.min(...Array.from({ length: 3 }, () => seconds(work)));
const [own, plain] = [best(ours), best(bare)];
console.log(
  `${count} groups: castellan ${own.toFixed(2)} s, bare cdktf ${plain.toFixed(2)} s of CPU; ${(own / plain).toFixed(2)} times (at most ${budget}); ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
);
process.exitCode = own / plain <= budget ? 0 : 1;
