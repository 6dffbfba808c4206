import Module from 'node:module';

type Resolve = (
  request: string,
  parent?: unknown,
  isMain?: boolean,
  options?: { readonly paths: readonly string[] },
) => string;

const loader = Module as unknown as { _resolveFilename: Resolve };
const originalResolve = loader._resolveFilename;

/**
 * Gives packages that require cdktf or constructs, such as the provider bindings, what is installed
 * here: see vitest.config.mts.
 */
function resolveFromHere(
  request: string,
  ...otherArguments: [unknown, boolean | undefined]
): string {
  if (!/^(cdktf|constructs)(\/|$)/.test(request))
    return originalResolve(request, ...otherArguments);
  return originalResolve(request.replace(/^cdktf/, 'cdktn'), undefined, false, {
    paths: [__dirname],
  });
}

// once, as all files of a worker are prepared by this one
if (originalResolve.name !== resolveFromHere.name) loader._resolveFilename = resolveFromHere;
