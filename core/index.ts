export { CastellanError, isCastellanError } from './errors/castellan-error.js';
export type { ErrorCode } from './errors/catalogue.js';
export { catalogue } from './errors/catalogue.js';
export type { Dialect } from './dialect/dialect.js';
export type { Finding, Fix, Severity, SourceLocation, Verdict } from './findings/finding.js';
export { exitCodes } from './findings/exit-code.js';
