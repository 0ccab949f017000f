import { describe, expect, test } from 'vitest';
import type { BookingField } from '../../../../src/modules/event-types/settings/booking-field.rules.ts';
import {
  type BookingFieldsPatch,
  patchedBookingFields,
} from '../../../../src/modules/event-types/settings/booking-field-patch.rules.ts';

const TOPIC: BookingField = {
  slug: 'topic',
  type: 'TEXT',
  label: 'Topic',
  required: true,
  options: [],
  placeholder: 'Say',
};
const SIZE: BookingField = {
  slug: 'size',
  type: 'SELECT',
  label: 'Size',
  required: false,
  options: ['S', 'M'],
  placeholder: null,
};
const NOTES: BookingField = {
  slug: 'notes',
  type: 'TEXTAREA',
  label: 'Notes',
  required: false,
  options: [],
  placeholder: null,
};
const STORED = [TOPIC, SIZE, NOTES];

describe('booking fields', () => {
  test.each<[string, BookingFieldsPatch, readonly BookingField[]]>([
    ['stay as they are without a change', {}, STORED],
    [
      'stay as they are with empty changes',
      { bookingFieldsSet: [], bookingFieldsRemove: null, bookingFieldsOrder: [] },
      STORED,
    ],
    [
      'change where they stand',
      { bookingFieldsSet: [{ slug: 'size', label: ' Big ' }] },
      [TOPIC, { ...SIZE, label: 'Big' }, NOTES],
    ],
    ['keep what null cannot empty', { bookingFieldsSet: [{ slug: 'topic', label: null, required: null }] }, STORED],
    [
      'lose a placeholder by null',
      { bookingFieldsSet: [{ slug: 'topic', placeholder: null }] },
      [{ ...TOPIC, placeholder: null }, SIZE, NOTES],
    ],
    [
      'keep their options under another type with a choice',
      { bookingFieldsSet: [{ slug: 'size', type: 'RADIO' }] },
      [TOPIC, { ...SIZE, type: 'RADIO' }, NOTES],
    ],
    [
      'lose them under a type without',
      { bookingFieldsSet: [{ slug: 'size', type: 'TEXT' }] },
      [TOPIC, { ...SIZE, type: 'TEXT', options: [] }, NOTES],
    ],
    [
      'are added at the end',
      { bookingFieldsSet: [{ slug: 'new', type: 'URL', label: 'New' }] },
      [...STORED, { slug: 'new', type: 'URL', label: 'New', required: false, options: [], placeholder: null }],
    ],
    ['are removed by slug', { bookingFieldsRemove: ['topic', 'notes'] }, [SIZE]],
    [
      'are removed before they are set anew, and forget what they were',
      { bookingFieldsRemove: ['topic'], bookingFieldsSet: [{ slug: 'topic', type: 'TEXT', label: 'T' }] },
      [SIZE, NOTES, { ...TOPIC, label: 'T', required: false, placeholder: null }],
    ],
    ['come in the order that is given, the others in theirs', { bookingFieldsOrder: ['notes'] }, [NOTES, TOPIC, SIZE]],
  ])('%s', (_, patch, fields) => {
    expect(patchedBookingFields(STORED, patch)).toEqual({ fields, mistakes: [] });
  });
});

describe('changes to booking fields are refused when', () => {
  test.each<[string, BookingFieldsPatch, string]>([
    [
      'a new one has no type',
      { bookingFieldsSet: [{ slug: 'new', label: 'New' }] },
      'REQUIRED bookingFieldsSet.0.type',
    ],
    [
      'a removed one is set anew without a label',
      { bookingFieldsRemove: ['topic'], bookingFieldsSet: [{ slug: 'topic', type: 'TEXT' }] },
      'REQUIRED bookingFieldsSet.0.label',
    ],
    [
      'a choice is left without options',
      { bookingFieldsSet: [{ slug: 'topic', type: 'SELECT' }] },
      'REQUIRED bookingFieldsSet.0.options',
    ],
    [
      'one is set twice',
      { bookingFieldsSet: [{ slug: 'topic' }, { slug: 'topic' }] },
      'DUPLICATE bookingFieldsSet.1.slug',
    ],
    ['what is removed is not there', { bookingFieldsRemove: ['gone'] }, 'UNKNOWN_FIELD bookingFieldsRemove.0'],
    ['what is to come first is not there', { bookingFieldsOrder: ['gone'] }, 'UNKNOWN_FIELD bookingFieldsOrder.0'],
  ])('%s', (_, patch, mistake) => {
    const { mistakes } = patchedBookingFields(STORED, patch);
    expect(mistakes.map(({ code, path }) => `${code} ${path?.join('.')}`)).toEqual([mistake]);
  });
});
