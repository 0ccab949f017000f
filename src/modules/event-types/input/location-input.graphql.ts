import { builder } from '../../../graphql/builder.ts';
import { MAX_ADDRESS_LENGTH, MAX_LABEL_LENGTH } from '../settings/location.rules.ts';
import { LocationType } from '../values/location.graphql.ts';

export const LocationInput = builder.inputType('LocationInput', {
  description: 'Where it can take place.',
  fields: (t) => ({
    id: t.id({
      description:
        'The id of the location that it is, or changes (`loc_…`); what is left out of it stays. Without one, the location that has this type and value, or a new one.',
    }),
    type: t.field({
      type: LocationType,
      required: true,
      description: 'Who says where it is; whether there is a value.',
    }),
    value: t.string({
      description: `The address of at most ${MAX_ADDRESS_LENGTH} characters, the https link, the phone number such as \`+4930123456\`, or the slug of the app such as \`zoom\`; left out where the attendee says it.`,
    }),
    label: t.string({
      description: `What everybody sees of it, at most ${MAX_LABEL_LENGTH} characters; null takes it away.`,
    }),
  }),
});
