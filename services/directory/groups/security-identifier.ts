/** The security identifier of an object id: `S-1-12-1-` and the id's four little-endian 32-bit numbers. */
export function securityIdentifier(id: string): string {
  const hex = id.replaceAll('-', '');
  const bytes = Buffer.from(hex, 'hex');
  // The first three fields of a GUID are stored little-endian in its binary form, the rest as written.
  const binary = Buffer.concat([
    bytes.subarray(0, 4).reverse(),
    bytes.subarray(4, 6).reverse(),
    bytes.subarray(6, 8).reverse(),
    bytes.subarray(8),
  ]);
  return `S-1-12-1-${[0, 4, 8, 12].map((at) => binary.readUInt32LE(at)).join('-')}`;
}
