import { TestDirectory, unifiedGroup } from '../support/directory.js';

/** The header of a PNG: the service reads no more of a picture. */
function png(width: number, height: number): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000', 'hex');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
}

/** The first segments of a JPEG: a comment, and the frame with the size. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffd8fffe0004abcdffc000110800000000030122', 'hex');
  frame.writeUInt16BE(height, 13);
  frame.writeUInt16BE(width, 15);
  return frame;
}

function gif(width: number, height: number): Buffer {
  const header = Buffer.from('47494638396100000000', 'hex');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  return header;
}

describe('the photo of a group', () => {
  let directory: TestDirectory;
  let photo: string;
  let photos: string;
  beforeEach(async () => {
    directory = await TestDirectory.start({ dialect: 'azure' });
    const group = `/groups/${(await directory.post('/groups', unifiedGroup())).body.id}`;
    [photo, photos] = [`${group}/photo`, `${group}/photos`];
  });
  afterEach(() => directory.stop());
  const put = (bytes: Buffer): ReturnType<TestDirectory['ask']> =>
    directory.ask('PUT', `${photo}/$value`, bytes, {
      headers: { 'content-type': 'application/octet-stream' },
    });
  const download = async (path: string): Promise<readonly [string, Buffer]> => {
    const url = `http://${TestDirectory.host}/v1.0${path}`;
    const answer = await directory.app.inject({
      url,
      headers: { authorization: directory.tokenOf() },
    });
    expect(answer.statusCode).toBe(200);
    return [String(answer.headers['content-type']), answer.rawPayload];
  };

  it('has the square sizes that fit into it', async () => {
    expect((await put(png(300, 200))).status).toBe(200);
    const sizes = (await directory.get(photos)).body.value.map((each: { id: string }) => each.id);
    expect(sizes).toEqual(['48X48', '64X64', '96X96', '120X120']);
    expect((await directory.get(`${photos}/64x64`)).body).toMatchObject({
      id: '64X64',
      width: 64,
      height: 64,
    });
    expect((await directory.get(`${photos}/240x240/$value`)).status).toBe(404);
    expect((await directory.get(`${photos}/65x65`)).status).toBe(400);
  });

  it.each([
    ['image/png', png(300, 200)],
    ['image/jpeg', jpeg(300, 200)],
    ['image/gif', gif(300, 200)],
  ])('is returned as uploaded, whatever its declared type: %s', async (type, picture) => {
    expect((await put(picture)).status).toBe(200);
    expect((await directory.get(photo)).body).toMatchObject({
      '@odata.mediaContentType': type,
      id: '300X200',
    });
    expect(await download(`${photo}/$value`)).toEqual([type, picture]);
    expect(await download(`${photos}/64x64/$value`)).toEqual([type, picture]);
  });
});
