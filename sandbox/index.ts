/** A project's sandbox: start, inspect, seed, stop it. */
export {
  addSeed,
  appWorkingDirectory,
  ensureSandbox,
  moveSandboxClock,
  recordSandbox,
  resetSandbox,
  restartApp,
  sandboxClockStatus,
  sandboxConsoleUrl,
  sandboxFaults,
  sandboxRecording,
  sandboxStatus,
  setSandboxApps,
  setSandboxFaults,
  stopSandbox,
} from './sandbox.js';
export type { EnsureSandboxOptions, SandboxHandle, SandboxStatus } from './sandbox.js';
export type { AppSettings, AppSettingsByName } from './settings.js';
export type { ProviderChoice } from './environment-variables.js';
export { forkSandbox } from './fork-sandbox.js';
export {
  restoreSandbox,
  rewindSandbox,
  savedSnapshots,
  saveSandbox,
  type SandboxSnapshot,
} from './snapshots.js';
export type { Fault, FaultKind, FaultPlan, FaultService } from './faults/fault.js';
export type { FaultsStatus } from './faults/injector.js';
export type { RecordingStatus } from './recording/recorder.js';
export type { ClockStatus } from './clock.js';
export { sandboxEnvironmentVariables } from './environment-variables.js';
export type { AppStatus } from './hosting/app-status.js';
