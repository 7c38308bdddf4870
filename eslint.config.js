import tseslint from 'typescript-eslint';

const maxLength = (code) => ({ 'max-len': ['error', { code, ignoreUrls: true }] });

const everywhere = {
  ...maxLength(120),
  'max-depth': ['error', 3],
  complexity: ['error', 15],
  eqeqeq: 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'no-console': 'error',
  'object-shorthand': 'error',
  quotes: ['error', 'single', { avoidEscape: true, allowTemplateLiterals: true }],
  semi: ['error', 'always'],
  indent: 'off',
  'no-trailing-spaces': 'error',
  'eol-last': 'error',
};

/** The rules that need types are in .oxlintrc.json: ESLint takes ten times as long for them. */
const typescript = {
  '@typescript-eslint/ban-ts-comment': 'error',
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/'] },
  {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { ...everywhere, ...typescript },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', require: 'readonly', module: 'readonly' } },
    rules: { ...everywhere, 'no-undef': 'off', 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
  },
  { files: ['src/**'], rules: { 'max-lines': ['error', 350] } },
  { files: ['test/**'], rules: maxLength(160) },
  { files: ['scripts/**', 'bench/**', 'bin/**'], rules: { 'no-console': 'off' } },
);
