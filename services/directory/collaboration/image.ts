import { decode as decodeJpeg, encode as encodeJpeg } from 'jpeg-js';
import { PNG } from 'pngjs';

/** The format and size of an uploaded image. */
export interface Image {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/gif';
  readonly width: number;
  readonly height: number;
}

/** Recognizes an image by its first bytes; undefined for other content. */
export function readImage(bytes: Buffer): Image | undefined {
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
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? readJpeg(bytes) : undefined;
}

/** Finds the frame header among the segments of a JPEG; it contains the size. */
function readJpeg(bytes: Buffer): Image {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame)
      return {
        contentType: 'image/jpeg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
      };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return { contentType: 'image/jpeg', width: 1, height: 1 };
}

/** A decoded image: four bytes per pixel, row by row. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** Decoding larger images would block other requests. */
const mostPixels = 4_000_000;
const jpegQuality = 90;

/**
 * A square image of the given size, cropped from the centre, in the original format. An image that
 * is animated (GIF), too large or damaged after its header is returned unchanged.
 */
export function scaledImage(bytes: Buffer, image: Image, size: number): Buffer {
  if (image.contentType === 'image/gif' || image.width * image.height > mostPixels) return bytes;
  const pixels = decoded(bytes, image);
  if (!pixels) return bytes;
  const scaled = scaledPixels(pixels, size);
  if (image.contentType === 'image/jpeg') return encodeJpeg(scaled, jpegQuality).data;
  const png = new PNG({ width: size, height: size });
  png.data = scaled.data;
  return PNG.sync.write(png);
}

function decoded(bytes: Buffer, { contentType }: Image): Pixels | undefined {
  try {
    if (contentType === 'image/png') return PNG.sync.read(bytes);
    const { width, height, data } = decodeJpeg(bytes, {
      useTArray: false,
      maxResolutionInMP: mostPixels / 1e6,
      maxMemoryUsageInMB: 128,
    });
    return { width, height, data: Buffer.from(data) };
  } catch {
    return undefined; // only the header was checked on upload; an image that cannot be decoded is returned unchanged
  }
}

/** Each pixel is the mean of the pixels that it replaces. */
function scaledPixels({ width, height, data }: Pixels, size: number): Pixels {
  const side = Math.min(width, height);
  const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)];
  const result = Buffer.alloc(size * size * 4);
  const edges = Array.from({ length: size + 1 }, (_, at) => Math.floor((at * side) / size));
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const [fromX, toX] = span(edges, x);
      const [fromY, toY] = span(edges, y);
      const sums = [0, 0, 0, 0];
      for (let row = fromY; row < toY; row++)
        for (let column = fromX; column < toX; column++) {
          const at = ((top + row) * width + left + column) * 4;
          for (let channel = 0; channel < 4; channel++)
            sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0);
        }
      const count = (toX - fromX) * (toY - fromY);
      sums.forEach(
        (sum, channel) => (result[(y * size + x) * 4 + channel] = Math.round(sum / count)),
      );
    }
  return { width: size, height: size, data: result };
}

/** The rows or columns of the original for one of the result: at least one. */
function span(edges: readonly number[], at: number): readonly [number, number] {
  const from = edges[at] ?? 0;
  return [from, Math.max(from + 1, edges[at + 1] ?? 0)];
}
