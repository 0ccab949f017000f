import type { TestCaller } from './api.ts';

/** A form that asks for a company, its size and topics: large ones are led to a message, those about prices elsewhere. */
export const FORM = {
  name: 'Contact',
  fields: [
    { slug: 'company', type: 'TEXT', label: 'Company', isRequired: true },
    { slug: 'size', type: 'NUMBER', label: 'How many are you?' },
    { slug: 'topics', type: 'MULTI_SELECT', label: 'Topics', options: ['Prices', 'Support'] },
    { slug: 'email', type: 'EMAIL', label: 'E-mail address', placeholder: 'you@example.com' },
  ],
  routes: [
    {
      conditions: [{ field: 'size', operator: 'GREATER_THAN', values: ['100'] }],
      target: { message: 'We will call you.' },
    },
    {
      match: 'ANY',
      conditions: [
        { field: 'topics', operator: 'ANY_OF', values: ['Prices'] },
        { field: 'company', operator: 'CONTAINS', values: ['shop'] },
      ],
      target: { url: 'https://prices.example/' },
    },
  ],
  fallback: { message: 'Thank you.' },
};

/** Makes a form of a group, whose administrator has a session. @returns its id */
export async function newRoutingForm(
  administrator: TestCaller,
  owner: { readonly teamId: string } | { readonly organizationId: string },
  more: object = {},
): Promise<string> {
  const { data, mistakes, codes } = await administrator.change(
    'routingFormCreate',
    { ...owner, ...FORM, ...more },
    'routingFormId',
  );
  if (mistakes.length + codes.length > 0) throw new Error(`routingFormCreate: ${[...mistakes, ...codes].join(' ')}`);
  return data.routingFormId;
}
