// Effects and rules of an impact in words.
import type { Effect } from './reasons.ts';

const EFFECT_WORDS: Record<Effect, { word: string; tone: string }> = {
  DOWN: { word: 'Down', tone: 'bad' },
  ISOLATED: { word: 'Cut off', tone: 'warn' },
  DEGRADED: { word: 'Less redundant', tone: 'plan' },
};

export const effectWords = (effect: Effect): string => EFFECT_WORDS[effect].word;

/** The effect on a device of a drawing, or that it is in the basket itself. */
export const lightWords = (effect: string): string => (effect in EFFECT_WORDS ? effectWords(effect as Effect) : 'Fails');

export function EffectMark({ effect }: { effect: Effect }) {
  return <span class={`state ${EFFECT_WORDS[effect].tone}`}>{EFFECT_WORDS[effect].word}</span>;
}

export const RULES = ['CONTAINMENT', 'LINE', 'POWER', 'NETWORK', 'GROUP', 'HOSTING', 'LINK'];

const RULE_TITLES: Record<string, string> = {
  CONTAINMENT: 'Containment', LINE: 'Lines', POWER: 'Power', NETWORK: 'Network', GROUP: 'Bonded ports', HOSTING: 'Hosting', LINK: 'Links',
};
export const ruleTitle = (rule: string): string => RULE_TITLES[rule] ?? rule;

const REASONS: Record<string, string> = {
  'CONTAINMENT DOWN': 'what contains it is down',
  'LINE DOWN': 'an end or part of the line is down',
  'LINE DEGRADED': 'some of its ends are down',
  'POWER DOWN': 'too little power is left',
  'POWER DEGRADED': 'a power supply is lost',
  'NETWORK ISOLATED': 'no way out of the network is left',
  'NETWORK DEGRADED': 'fewer independent ways out are left',
  'GROUP DOWN': 'no member is left',
  'GROUP DEGRADED': 'members are lost',
  'HOSTING DOWN': 'what it runs on is down',
  'HOSTING ISOLATED': 'what it runs on is cut off',
  'HOSTING DEGRADED': 'what it runs on has lost something',
  'LINK DOWN': 'its ends or all its cables are down',
  'LINK DEGRADED': 'some of its cables are down',
};
export const reasonWords = (rule: string, effect: Effect): string => REASONS[`${rule} ${effect}`] ?? ruleTitle(rule).toLowerCase();
