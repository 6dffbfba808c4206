/** The format and size of an uploaded image. */
export interface Image {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/gif';
  readonly width: number;
  readonly height: number;
}

/** Recognizes an image by its first bytes; undefined for other content. */
export function detectImage(bytes: Buffer): Image | undefined {
  if (bytes.length >= 24 && bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')))
    return {
      contentType: 'image/png',
      width: bytes.readUInt32BE(16),
      height: bytes.readUInt32BE(20),
    };
  if (bytes.length >= 10 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)))
    return {
      contentType: 'image/gif',
      width: bytes.readUInt16LE(6),
      height: bytes.readUInt16LE(8),
    };
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? parseJpeg(bytes) : undefined;
}

/** Finds the frame header among the segments of a JPEG; it contains the size. */
function parseJpeg(bytes: Buffer): Image {
  for (let offset = 2; offset + 9 < bytes.length && bytes[offset] === 0xff;) {
    const marker = bytes[offset + 1] ?? 0;
    // Start-of-frame markers; the three others in their range define tables or are reserved.
    const isFrameHeader = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrameHeader)
      return {
        contentType: 'image/jpeg',
        width: bytes.readUInt16BE(offset + 7),
        height: bytes.readUInt16BE(offset + 5),
      };
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  // Without a frame header the size is unknown.
  return { contentType: 'image/jpeg', width: 1, height: 1 };
}
