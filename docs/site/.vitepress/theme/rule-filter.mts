import { defineComponent, h, onMounted, ref } from 'vue';

const severities = ['error', 'warning', 'info'] as const;

/** The rows of the tables of rules, with the severity that their second column names. */
function ruleRows(): { readonly row: HTMLElement; readonly severity: string }[] {
  return [...document.querySelectorAll<HTMLElement>('.vp-doc tbody tr')].flatMap((row) => {
    const severity = row.children[1]?.textContent ?? '';
    return severities.some((each) => each === severity) ? [{ row, severity }] : [];
  });
}

/** A table without a row that is shown goes with the heading above it. */
function hideEmptyTables(): void {
  for (const table of document.querySelectorAll<HTMLElement>('.vp-doc table')) {
    table.hidden = table.querySelector('tbody tr:not([hidden])') === null;
    const heading = table.previousElementSibling;
    if (heading instanceof HTMLHeadingElement) heading.hidden = table.hidden;
  }
}

/** Buttons that leave only the rules of one severity on the page of all rules. */
export const RuleFilter = defineComponent(() => {
  const chosen = ref('all');
  const counts = ref<Readonly<Record<string, number>>>({});
  onMounted(() => {
    const rows = ruleRows();
    counts.value = Object.fromEntries([
      ['all', rows.length],
      ...severities.map((each) => [each, rows.filter((row) => row.severity === each).length]),
    ]);
  });
  const choose = (severity: string): void => {
    chosen.value = severity;
    for (const each of ruleRows())
      each.row.hidden = severity !== 'all' && each.severity !== severity;
    hideEmptyTables();
  };
  return () =>
    h('div', { class: 'rule-filter', role: 'group', 'aria-label': 'Rules by severity' }, [
      ['all', ...severities].map((severity) =>
        h(
          'button',
          {
            type: 'button',
            'aria-pressed': chosen.value === severity,
            onClick: () => choose(severity),
          },
          `${severity} ${counts.value[severity] ?? ''}`,
        ),
      ),
    ]);
});
