import { plainWords, shortId } from './names';

describe('shortId', () => {
  it.each([
    ['0b1c2d3e-1111-2222-3333-444455556666', '0b1c2d3e'],
    ['r-12', 'r-12'],
  ])('%s reads %s', (id, short) => expect(shortId(id)).toBe(short));
});

describe('plainWords', () => {
  it.each([
    ['user:default/guest paused the release', 'guest paused the release'],
    ['asked for by user:default/jane.doe.', 'asked for by jane.doe.'],
    ['cluster-a/production: image registry:5000/checkout:2', undefined],
  ])('%s', (message, words = message) => expect(plainWords(message)).toBe(words));
});
