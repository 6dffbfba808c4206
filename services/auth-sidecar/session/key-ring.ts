import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const version = 'v1';
const ivLength = 12;
const tagLength = 16;
const idLength = 8;
const prefix = `${version}.`;
const idEnd = prefix.length + idLength;
/** Key id and ciphertext; the shortest ciphertext is iv and tag alone. */
const sealedPattern = /^v1\.[\w-]{8}\.[\w-]{38,}$/;
/** The buffer for decoding bytes of the usual length, which are not needed after decryption. */
const decodeBuffer = Buffer.allocUnsafeSlow(12 * 1024);
const decodeBufferIv = decodeBuffer.subarray(0, ivLength);
const cipherOptions = { authTagLength: tagLength };

interface Key {
  /** Identifies the key without revealing it. */
  readonly id: string;
  readonly secret: Buffer;
}

/**
 * Encrypts and decrypts cookies, session tokens and store entries. AES-256-GCM with a key derived
 * from the encryption and the signing key together; the purpose is authenticated, so that nothing
 * encrypted for one purpose decrypts for another.
 */
export class KeyRing {
  /** The bytes of the last purpose, since most calls have the same one. */
  private lastPurpose = { purpose: '', bytes: Buffer.from(`${version}|`) };

  private constructor(private readonly keys: readonly [Key, ...Key[]]) {}

  /**
   * @param encryption key material; the first key encrypts.
   * @param signing likewise.
   * @param generatedKey the sidecar's own key material, used if neither list has a key.
   */
  static of(
    encryption: readonly string[],
    signing: readonly string[],
    generatedKey: Buffer,
  ): KeyRing {
    if (encryption.length === 0 && signing.length === 0)
      return new KeyRing([deriveKey(generatedKey.toString('hex'), '')]);
    const keys = (encryption.length > 0 ? encryption : ['']).flatMap((encryptionKey) =>
      (signing.length > 0 ? signing : ['']).map((signingKey) =>
        deriveKey(encryptionKey, signingKey),
      ),
    );
    return new KeyRing(keys as [Key, ...Key[]]);
  }

  /** Returns text of the alphabet `A-Za-z0-9._-`, safe in cookies, headers and URLs. */
  seal(plaintext: Buffer, purpose: string): string {
    const key = this.keys[0];
    const iv = randomBytes(ivLength);
    const cipher = createCipheriv('aes-256-gcm', key.secret, iv);
    cipher.setAAD(this.associatedData(purpose));
    const body = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${key.id}.${body.toString('base64url')}`;
  }

  /**
   * Whether a text was encrypted by a key that is not among these: by another replica, while keys
   * are replaced.
   */
  isSealedByUnknownKey(sealed: string): boolean {
    if (!sealedPattern.test(sealed)) return false;
    const id = sealed.slice(prefix.length, idEnd);
    return !this.keys.some((each) => each.id === id);
  }

  /** Decrypts what one of the keys encrypted for this purpose; undefined for anything else. */
  open(sealed: string, purpose: string): Buffer | undefined {
    if (!sealed.startsWith(prefix) || sealed.charAt(idEnd) !== '.') return undefined;
    const id = sealed.slice(prefix.length, idEnd);
    const key = this.keys.find((each) => each.id === id);
    if (key === undefined) return undefined;
    const ciphertext = sealed.slice(idEnd + 1);
    const fitsBuffer = ciphertext.length <= decodeBuffer.length;
    const body = fitsBuffer ? decodeBuffer : Buffer.from(ciphertext, 'base64url');
    const length = fitsBuffer ? decodeBuffer.write(ciphertext, 'base64url') : body.length;
    // Decoding ignores other letters and stray last bits, so only the original spelling is
    // accepted.
    if (length < ivLength + tagLength || body.toString('base64url', 0, length) !== ciphertext)
      return undefined;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      key.secret,
      fitsBuffer ? decodeBufferIv : body.subarray(0, ivLength),
      cipherOptions,
    );
    decipher.setAAD(this.associatedData(purpose));
    decipher.setAuthTag(body.subarray(length - tagLength, length));
    try {
      const plaintext = decipher.update(body.subarray(ivLength, length - tagLength));
      decipher.final();
      return plaintext;
    } catch {
      return undefined; // forged, of another purpose or damaged: treated as missing
    }
  }

  private associatedData(purpose: string): Buffer {
    if (purpose !== this.lastPurpose.purpose)
      this.lastPurpose = { purpose, bytes: Buffer.from(`${version}|${purpose}`) };
    return this.lastPurpose.bytes;
  }
}

function deriveKey(encryption: string, signing: string): Key {
  const secret = Buffer.from(
    hkdfSync('sha256', `${encryption}\n${signing}`, 'castellan auth sidecar', 'sealing', 32),
  );
  const id = createHash('sha256')
    .update('key id')
    .update(secret)
    .digest()
    .subarray(0, 6)
    .toString('base64url');
  return { id, secret };
}
