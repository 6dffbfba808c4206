import fc from 'fast-check';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { group } from '../../../kinds/group/group.js';
import { registration } from '../../../kinds/registration/registration.js';
import {
  flattenReturnedProperties,
  declaredAndActual,
  expandProperties,
  flattenProperties,
} from '../../../provider/handlers/described-values.js';

const text = fc.string({ minLength: 1, maxLength: 20 });
const ids = fc.uniqueArray(fc.uuid(), { maxLength: 4 }).map((list) => list.sort());

describe('requests made from descriptions', () => {
  it("use the API's names for the properties of a resource", () => {
    const planned = {
      display_name: 'clicks',
      description: '',
      workspace_id: 'w',
      folder_id: null,
      tags: ['t'],
      minimum_consumption_units: 4.25,
      sensitivity_label: { label_id: 'secret', apply_strategy: 'Ignore' },
    };
    expect(expandProperties(eventhouse, 'castellan_eventhouse', planned)).toEqual({
      displayName: 'clicks',
      creationPayload: { minimumConsumptionUnits: 4.25 },
      sensitivityLabelSettings: { labelId: 'secret', sensitivityLabelApplyStrategy: 'Ignore' },
    });
  });

  it('clear unset properties, and omit unchanged ones', () => {
    const prior = {
      display_name: 'Login',
      notes: 'old',
      group_membership_claims: ['All'],
      logout_url: 'https://a.example/',
    };
    const planned = {
      display_name: 'Login',
      notes: '',
      group_membership_claims: [],
      logout_url: 'https://b.example/',
    };
    expect(
      expandProperties(registration, 'azuread_application_registration', planned, { prior }),
    ).toEqual({
      notes: null,
      groupMembershipClaims: null,
      web: { logoutUrl: 'https://b.example/' },
    });
  });

  it('are read back as written', () => {
    const groupValues = fc.record({
      classification: text,
      preferred_language: fc.constantFrom('en', 'en-US'),
      preferred_data_location: fc.constantFrom('EUR', 'NAM'),
      unique_name: text,
      assigned_label_ids: ids,
    });
    fc.assert(
      fc.property(groupValues, (planned) => {
        const body = expandProperties(group, 'castellan_group_properties', planned);
        expect(flattenProperties(group, 'castellan_group_properties', body)).toEqual(planned);
      }),
    );
    const claims = fc
      .uniqueArray(fc.constantFrom('All', 'SecurityGroup', 'DirectoryRole'))
      .map((list) => list.sort());
    const registrationValues = fc.record({
      display_name: text,
      sign_in_audience: fc.constantFrom('AzureADMyOrg', 'AzureADMultipleOrgs'),
      group_membership_claims: claims,
      implicit_id_token_issuance_enabled: fc.boolean(),
      implicit_access_token_issuance_enabled: fc.boolean(),
      homepage_url: fc.webUrl(),
      logout_url: fc.webUrl(),
      description: text,
      notes: text,
    });
    fc.assert(
      fc.property(registrationValues, (planned) => {
        const body = expandProperties(registration, 'azuread_application_registration', planned);
        expect(flattenProperties(registration, 'azuread_application_registration', body)).toEqual(
          planned,
        );
      }),
    );
  });

  it('find properties that the API returns in another place than requests have them', () => {
    const house = { properties: { minimumConsumptionUnits: 8.5 } };
    expect(flattenReturnedProperties(eventhouse, 'properties', house)).toEqual({
      minimum_consumption_units: 8.5,
    });
    const prior = { properties: { minimum_consumption_units: 0 } };
    expect(declaredAndActual(eventhouse, 'castellan_eventhouse', {}, prior)).toEqual([
      { attribute: 'minimum_consumption_units', declared: 0, actual: 0 },
    ]);
  });
});
