import tseslint from 'typescript-eslint';

/** A provider's barrel costs 8 s and 1 GB where the deep path costs 3 s and 240 MB. */
const providerBarrels = {
  regex: '^@cdktf/provider-[a-z]+(/lib)?$',
  message:
    'Import the deep path (@cdktf/provider-azurerm/lib/container-app): the barrel costs 8 s and 1 GB.',
};
/** cdktf was archived: the move to its successor must stay one line. */
const cdktfItself = {
  regex: '^cdktf(/|$)',
  message: 'Import from constructs/internal/cdktf, the one door to cdktf.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/dist.new/**',
      'node_modules/**',
      '**/cdktf.out/**',
      '**/.castellan/**',
      '**/generated/**',
      '.dependency-cruiser.cjs',
      'examples/ci/**',
      'test/package/existing-project/{before,after}/**',
      'docs/site/**',
      'editors/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.mts', '**/*.cts'],
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [providerBarrels, cdktfItself] },
      ],
    },
  },
  {
    // a longer function is split into steps, each a function with a name
    files: [
      '{access,cli,clients,constructs,core,kinds,policies,provider,sandbox,services,stacks}/**/*.{ts,tsx}',
    ],
    rules: {
      'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // a description is one object, in a function only so that it is created when it is needed
    files: ['kinds/{group,registration,transaction,user}/*.ts', 'kinds/eventstream/nodes/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['constructs/internal/cdktf.ts', 'constructs/internal/cdktf-internals.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: [providerBarrels] }],
    },
  },
);
