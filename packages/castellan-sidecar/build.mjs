// Builds dist/ from the sources of castellan, after its own build: npm run build at the root.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from '../../scripts/bundle-package.mjs';

await buildPackage(import.meta.dirname, { programs: { bin: 'cli/packages/sidecar-bin.ts' } });
// the initial contents of the image's volume: see Dockerfile
mkdirSync(join(import.meta.dirname, 'dist/image-state/.castellan/auth-sidecar'), {
  recursive: true,
});
