import { isIP } from 'node:net';

/** Whether a host name or address, with or without brackets, is this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (isIP(bare) === 4) return bare.startsWith('127.');
  return (
    bare === 'localhost' || bare.endsWith('.localhost') || /^(0{0,4}:){2,7}0{0,3}1$/.test(bare)
  );
}
