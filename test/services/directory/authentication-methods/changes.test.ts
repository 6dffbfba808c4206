import { TestDirectory, application, id, person, user } from '../support/directory.js';

const writeAll = ['UserAuthenticationMethod.ReadWrite.All'];
const passwordMethodId = '28c10230-6103-485e-b985-444c60001490';
const mobilePhoneId = '3179e48a-750b-4051-897c-87b9720928f7';
const alternatePhoneId = 'b6332ec1-7057-4abe-9331-3d72feddfe41';

describe.each(['neutral', 'azure'] as const)(
  'changing authentication methods in the %s dialect',
  (dialect) => {
    let directory: TestDirectory;
    const phoneType = dialect === 'neutral' ? 'authenticationPhoneType' : 'phoneType';
    const ada = `/users/${id(1)}/authentication`;
    const admin = person(id(9), writeAll, ['authenticationAdministrator']);
    beforeEach(async () => {
      directory = await TestDirectory.start({
        dialect,
        seed: {
          users: [
            user(id(1)),
            user(id(2), {
              authenticationMethods: [
                {
                  'odata.type': '#svc.directory.fido2AuthenticationMethod',
                  id: id(20),
                  displayName: 'key',
                },
                {
                  'odata.type': '#svc.directory.microsoftAuthenticatorAuthenticationMethod',
                  id: id(21),
                  displayName: 'app',
                },
              ],
            }),
          ],
        },
      });
    });
    afterEach(() => directory.stop());
    const methodKinds = async (path = ada): Promise<string[]> =>
      (await directory.get(`${path}/methods`)).body.value.map((each: Record<string, string>) =>
        each['@odata.type']?.replace(/^.*\./, ''),
      );

    /**
     * @claim phone-types: A person has one phone of each type, the mobile one first.
     * @source https://learn.microsoft.com/graph/api/authentication-post-phonemethods
     */
    it('registers, changes and removes phones, one of each type, the mobile first', async () => {
      const phones = `${ada}/phoneMethods`;
      const phone = (type: string, number = '+1 2065551234'): object => ({
        phoneNumber: number,
        [phoneType]: type,
      });
      expect((await directory.post(phones, phone('alternateMobile'))).status).toBe(400);
      const created = await directory.post(phones, phone('mobile'));
      expect([created.status, created.headers['location']]).toEqual([
        201,
        `http://directory.test/v1.0${phones}/${mobilePhoneId}`,
      ]);
      expect(created.body).toMatchObject({
        id: mobilePhoneId,
        phoneNumber: '+1 2065551234',
        [phoneType]: 'mobile',
        smsSignInState: 'notConfigured',
      });
      expect((await directory.post(phones, phone('mobile'))).status).toBe(400);
      expect(
        (await directory.post(phones, phone('alternateMobile', '+44 2071234567'))).body.id,
      ).toBe(alternatePhoneId);
      expect(await methodKinds()).toEqual([
        'passwordAuthenticationMethod',
        'phoneAuthenticationMethod',
        'phoneAuthenticationMethod',
      ]);
      expect(
        (await directory.patch(`${phones}/${mobilePhoneId}`, phone('mobile', '+1 2065550000')))
          .status,
      ).toBe(204);
      expect((await directory.patch(`${phones}/${mobilePhoneId}`, phone('office'))).status).toBe(
        400,
      );
      const wholePhone = { id: mobilePhoneId, ...phone('mobile', '+1 2065550000') };
      expect((await directory.patch(`${phones}/${mobilePhoneId}`, wholePhone)).status).toBe(204);
      expect((await directory.patch(`${phones}/${alternatePhoneId}`, wholePhone)).status).toBe(400);
      expect((await directory.post(`${phones}/${mobilePhoneId}/enableSmsSignIn`)).status).toBe(204);
      expect((await directory.get(`${phones}/${mobilePhoneId}`)).body).toMatchObject({
        phoneNumber: '+1 2065550000',
        smsSignInState: 'ready',
      });
      expect(
        (await directory.get(phones)).body.value.map((each: { id: string }) => each.id),
      ).toEqual([mobilePhoneId, alternatePhoneId]);
      expect((await directory.delete(`${phones}/${mobilePhoneId}`)).status).toBe(400);
      expect((await directory.delete(`${phones}/${alternatePhoneId}`)).status).toBe(204);
      expect((await directory.delete(`${phones}/${mobilePhoneId}`)).status).toBe(204);
      expect(await methodKinds()).toEqual(['passwordAuthenticationMethod']);
    });

    it.each([
      ['no number', {}],
      ['a number without country', { phoneNumber: '2065551234', phoneType: 'mobile' }],
      ['an unknown type', { phoneNumber: '+1 2065551234', phoneType: 'fax' }],
      ['no type', { phoneNumber: '+1 2065551234' }],
      [
        'a read-only field',
        { phoneNumber: '+1 2065551234', phoneType: 'mobile', smsSignInState: 'ready' },
      ],
    ])('refuses a phone with %s', async (_what, body) => {
      expect((await directory.post(`${ada}/phoneMethods`, body)).status).toBe(400);
    });

    it('registers an e-mail address, a code generator, an external method and a pass, and returns secrets once', async () => {
      expect(
        (await directory.post(`${ada}/emailMethods`, { emailAddress: 'ada@elsewhere.example' }))
          .body,
      ).toMatchObject({
        emailAddress: 'ada@elsewhere.example',
      });
      expect(
        (await directory.post(`${ada}/emailMethods`, { emailAddress: 'two@elsewhere.example' }))
          .status,
      ).toBe(400);
      const oath = await directory.post(`${ada}/softwareOathMethods`, {});
      expect(oath.body.secretKey).toMatch(/^[A-Z2-7]{32}$/);
      expect(
        (await directory.get(`${ada}/softwareOathMethods/${oath.body.id}`)).body.secretKey,
      ).toBeNull();
      const external = { configurationId: id(77), displayName: 'Token' };
      expect(
        (await directory.post(`${ada}/externalAuthenticationMethods`, external)).body,
      ).toMatchObject(external);
      const pass = await directory.post(`${ada}/temporaryAccessPassMethods`, {
        lifetimeInMinutes: 60,
        isUsableOnce: true,
      });
      expect(pass.body).toMatchObject({
        isUsable: true,
        isUsableOnce: true,
        lifetimeInMinutes: 60,
        methodUsabilityReason: 'EnabledByPolicy',
      });
      expect(pass.body.temporaryAccessPass).toMatch(/^[\w-]{8}$/);
      expect((await directory.post(`${ada}/temporaryAccessPassMethods`, {})).status).toBe(400);
      directory.passTime({ seconds: 3600 });
      expect(
        (await directory.get(`${ada}/temporaryAccessPassMethods/${pass.body.id}`)).body,
      ).toMatchObject({
        temporaryAccessPass: null,
        isUsable: false,
        methodUsabilityReason: 'Expired',
      });
    });

    it('registers a pass with its defaults where a client sends null', async () => {
      const nulls = { startDateTime: null, lifetimeInMinutes: null, isUsableOnce: null };
      const { status, body } = await directory.post(`${ada}/temporaryAccessPassMethods`, nulls);
      expect([status, body.lifetimeInMinutes, body.isUsableOnce]).toEqual([201, 60, false]);
      expect(Date.parse(body.startDateTime)).toBe(directory.now.getTime());
    });

    it('replaces a pass that has expired, and no other', async () => {
      const passes = `${ada}/temporaryAccessPassMethods`;
      const first = await directory.post(passes, { lifetimeInMinutes: 60 });
      directory.passTime({ seconds: 3599 });
      expect((await directory.post(passes, {})).status).toBe(400);
      directory.passTime({ seconds: 1 });
      const second = await directory.post(passes, {});
      expect(second.status).toBe(201);
      expect(second.body.id).not.toBe(first.body.id);
      expect(
        (await directory.get(passes)).body.value.map((each: { id: string }) => each.id),
      ).toEqual([second.body.id]);
    });

    it('registers no pass from a start that is no ISO 8601 date and time', async () => {
      for (const startDateTime of ['1', 'next week', '1/2/2026', 5])
        expect([
          startDateTime,
          (await directory.post(`${ada}/temporaryAccessPassMethods`, { startDateTime })).status,
        ]).toEqual([startDateTime, 400]);
    });

    it('removes methods that devices register, and neither creates those nor removes a password', async () => {
      const pathOfUser2 = `/users/${id(2)}/authentication`;
      expect((await directory.post(`${pathOfUser2}/fido2Methods`, {})).status).toBe(405);
      expect((await directory.delete(`${pathOfUser2}/fido2Methods/${id(21)}`)).status).toBe(404);
      expect((await directory.delete(`${pathOfUser2}/fido2Methods/${id(20)}`)).status).toBe(204);
      expect(
        (await directory.delete(`${pathOfUser2}/microsoftAuthenticatorMethods/${id(21)}`)).status,
      ).toBe(204);
      expect(await methodKinds(pathOfUser2)).toEqual([]);
      expect((await directory.delete(`${ada}/passwordMethods/${passwordMethodId}`)).status).toBe(
        405,
      );
    });

    it('resets a password, given or generated, and reports the progress', async () => {
      const resetPath = `${ada}/methods/${passwordMethodId}/resetPassword`;
      const answer = await directory.post(resetPath, { newPassword: 'Secret123!' });
      expect([answer.status, answer.body.newPassword]).toEqual([202, null]);
      expect((await directory.get(String(answer.headers['location']))).body).toMatchObject({
        status: 'succeeded',
      });
      expect((await directory.post(resetPath)).body.newPassword).toMatch(/^.{12,}$/);
      expect((await directory.post(resetPath, { newPassword: 'weak' })).status).toBe(400);
      expect((await directory.post(`${ada}/methods/${mobilePhoneId}/resetPassword`)).status).toBe(
        404,
      );
    });

    it.each([
      [
        'oneself with ReadWrite',
        person(id(1), ['UserAuthenticationMethod.ReadWrite']),
        '/me/authentication',
        201,
      ],
      [
        'oneself with Read',
        person(id(1), ['UserAuthenticationMethod.Read.All']),
        '/me/authentication',
        403,
      ],
      ['someone else without a role', person(id(9), writeAll), ada, 403],
      ['someone else as Global Reader', person(id(9), writeAll, ['globalReader']), ada, 403],
      ['someone else as Authentication Administrator', admin, ada, 201],
      [
        'someone else with ReadWrite',
        person(id(9), ['UserAuthenticationMethod.ReadWrite'], ['authenticationAdministrator']),
        ada,
        403,
      ],
      ['an application with ReadWrite.All', application(id(8), writeAll), ada, 201],
      [
        'an application with Read.All',
        application(id(8), ['UserAuthenticationMethod.Read.All']),
        ada,
        403,
      ],
    ])('answers the change of %s', async (_who, as, path, status) => {
      const answer = await directory.post(
        `${path}/phoneMethods`,
        { phoneNumber: '+1 2065551234', [phoneType]: 'mobile' },
        { as },
      );
      expect(answer.status).toBe(status);
      if (as === admin) expect(answer.body.phoneNumber).toBe('+1 XXXXXXXX34');
    });

    it('restricts passes and resets to administrators', async () => {
      const self = person(id(1), writeAll, ['authenticationAdministrator']);
      expect(
        (await directory.post('/me/authentication/temporaryAccessPassMethods', {}, { as: self }))
          .status,
      ).toBe(403);
      expect(
        (
          await directory.post(
            `/me/authentication/methods/${passwordMethodId}/resetPassword`,
            {},
            { as: self },
          )
        ).status,
      ).toBe(403);
    });
  },
);
