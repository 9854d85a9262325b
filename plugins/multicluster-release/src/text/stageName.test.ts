import { createTexts } from '../testing';
import { stageName } from './stageName';

describe('stageName', () => {
  it.each<[name: string, kind: string | undefined, shown: string]>([
    ['promotion', 'promotion', '推进'],
    ['rollback', 'rollback', '回滚'],
    ['removal', 'rollback', '移除'],
    ['promotion', 'step', 'promotion'],
    ['rollback', 'batch', 'rollback'],
    ['removal', 'serial', 'removal'],
    ['promotion', undefined, 'promotion'],
    ['constructor', 'step', 'constructor'],
    ['canary', 'constructor', 'canary'],
  ])('%s of the kind %s', (name, kind, shown) => {
    expect(stageName({ name, kind }, createTexts('zh'))).toBe(shown);
  });
});
