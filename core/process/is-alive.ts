/** Whether a process with this id is running, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is running, too
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
