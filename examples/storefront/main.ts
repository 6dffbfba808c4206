import { synthesizeConfig } from 'castellan/stacks';

// The cdktf app of this repository: `cdktf synth`, `cdktf diff` and `cdktf deploy` run it through
// cdktf.json.
synthesizeConfig({ paths: [__dirname] }).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
