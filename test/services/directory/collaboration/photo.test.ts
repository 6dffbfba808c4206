import { decode, encode } from 'jpeg-js';
import { PNG } from 'pngjs';
import { TestDirectory, unifiedGroup } from '../support/directory.js';

/** A picture of one colour on the left and another on the right. */
function picture(width: number, height: number): Buffer {
  const data = Buffer.alloc(width * height * 4, 255);
  for (let at = 0; at < width * height; at++)
    data.set(at % width < width / 2 ? [250, 0, 0] : [0, 0, 250], at * 4);
  return data;
}

function png(width: number, height: number): Buffer {
  const image = new PNG({ width, height });
  image.data = picture(width, height);
  return PNG.sync.write(image);
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
  const bytesOf = async (path: string): Promise<Buffer> => {
    const url = `http://${TestDirectory.host}/v1.0${path}`;
    const answer = await directory.app.inject({
      url,
      headers: { authorization: directory.tokenOf() },
    });
    expect(answer.statusCode).toBe(200);
    return answer.rawPayload;
  };

  it('is scaled to the square sizes that fit into it', async () => {
    expect((await put(png(300, 200))).status).toBe(200);
    const listed = (await directory.get(photos)).body.value.map((each: { id: string }) => each.id);
    expect(listed).toEqual(['48X48', '64X64', '96X96', '120X120']);
    expect((await directory.get(`${photos}/64x64`)).body).toMatchObject({
      id: '64X64',
      width: 64,
      height: 64,
    });
    const small = PNG.sync.read(await bytesOf(`${photos}/64x64/$value`));
    expect([small.width, small.height]).toEqual([64, 64]);
    expect([...small.data.subarray(0, 4), ...small.data.subarray(63 * 4, 64 * 4)]).toEqual([
      250, 0, 0, 255, 0, 0, 250, 255,
    ]);
    expect((await directory.get(`${photos}/240x240/$value`)).status).toBe(404);
    expect((await directory.get(`${photos}/65x65`)).status).toBe(400);
    expect((await bytesOf(`${photo}/$value`)).equals(png(300, 200))).toBe(true);
  });

  it('keeps its format', async () => {
    await put(encode({ width: 100, height: 100, data: picture(100, 100) }, 95).data);
    const bytes = await bytesOf(`${photos}/96x96/$value`);
    expect([decode(bytes).width, decode(bytes).height]).toEqual([96, 96]);
  });

  it('is returned unchanged when it cannot be decoded', async () => {
    const broken = png(100, 100).subarray(0, 60);
    await put(broken);
    expect((await bytesOf(`${photos}/48x48/$value`)).equals(broken)).toBe(true);
  });
});
