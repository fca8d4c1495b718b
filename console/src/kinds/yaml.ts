// Writes YAML in block style. A text that YAML could read as another type is quoted.

const PLAIN = /^[A-Za-z_/][\w ./@+()-]*$/;
const OTHER_TYPE = /^(true|false|null|yes|no|on|off|y|n|~|[.][a-z]+|[\d.+-].*)$/i;

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const plain = PLAIN.test(value) && !OTHER_TYPE.test(value) && !value.endsWith(' ');
  return plain ? value : JSON.stringify(value);
}

const isFlat = (value: unknown): boolean => typeof value !== 'object' || value === null || Object.keys(value).length === 0;

function lines(value: unknown): string[] {
  if (isFlat(value)) return [scalar(value)];
  if (Array.isArray(value)) return value.flatMap((it) => lines(it).map((line, at) => `${at === 0 ? '- ' : '  '}${line}`));
  return Object.entries(value as object).flatMap(([key, it]) => {
    if (isFlat(it)) return [`${scalar(key)}: ${scalar(it)}`];
    const indent = Array.isArray(it) ? '' : '  ';
    return [`${scalar(key)}:`, ...lines(it).map((line) => indent + line)];
  });
}

export function yaml(value: unknown): string {
  return `${lines(value).join('\n')}\n`;
}
