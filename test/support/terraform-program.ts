/** The engine that tests run by themselves: that of `CASTELLAN_ENGINE`, as `castellan up` does. */
export const terraformProgram =
  process.env['CASTELLAN_TERRAFORM'] ?? process.env['CASTELLAN_ENGINE'] ?? 'terraform';
