import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
/** Where limits are enforced. They are stated in kinds/. */
const folders = [
  'policies/rules',
  'services/directory',
  'services/items',
  'services/billing',
  'services/resource-manager',
  'provider/handlers',
  'constructs',
];

/** Files whose numbers are no limits of a kind, and what the numbers are about. */
const exceptions: Readonly<Record<string, string>> = {
  'services/directory/odata/odata-limits.ts': 'the pages of OData',
  'services/directory/collaboration/image.ts': 'the heads of image files',
  'services/directory/authentication-methods/subtypes.ts':
    'how people prove who they are, which nothing declares',
  'services/directory/collaboration/extensions.ts': 'open extensions, which nothing declares',
  'services/directory/domains/domains-module.ts': 'the form of domains in DNS',
  'services/directory/groups/group-rules.ts': 'names of properties that no description knows',
  'services/directory/lifecycle/ownerless-group-policy.ts':
    'the policy of groups without owners, which nothing declares',
  'services/items/item/creation-payload.ts': 'payloads of types that no description knows',
  'services/resource-manager/generic/generic-kind.ts':
    'names of resources that no description knows',
  'services/resource-manager/kinds/key-vault.ts': 'key vaults, which nothing declares',
};

/** A line with a limit that is written as a number. */
const literalLimit =
  /(\.length\s*[<>]=?\s*\d{2,})|\b(?:maximum|maxLength|maxItems|longest|most)\s*[:=]\s*\d{2,}|\{\d*,\d{2,}\}[$/]/;

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (path.endsWith('.ts') && !path.includes('/generated/')) yield path;
  }
}

it.each(folders)(
  'no limit is written as a number in %s: the descriptions in kinds/ state it',
  (folder) => {
    const literalLimitLines = [...filesBelow(folder)].flatMap((file) => {
      if (Object.hasOwn(exceptions, file)) return [];
      const lines = readFileSync(join(root, file), 'utf8').split('\n');
      return lines.flatMap((line, index) =>
        literalLimit.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line)
          ? [`${file}:${index + 1}: ${line.trim()}`]
          : [],
      );
    });
    expect(literalLimitLines).toEqual([]);
  },
);

it('no file is an exception without need', () => {
  const unnecessary = Object.keys(exceptions).filter(
    (file) => !literalLimit.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(unnecessary).toEqual([]);
});
