/** A value of a metric, and what it is of. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly value: number;
  /** Says which part of a histogram this is. */
  readonly part?: '_bucket' | '_sum' | '_count';
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
}

/** A metric in the text format of Prometheus, version 0.0.4. Labels that are undefined are left out. */
export function metricText({ name, help, type }: Metric, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels, value, part = '' }) => {
    const shown = Object.entries(labels).flatMap(([label, text]) =>
      text === undefined ? [] : [`${label}="${escaped(String(text))}"`],
    );
    return `${name}${part}${shown.length > 0 ? `{${shown.join()}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function escaped(label: string): string {
  return label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
