/** A field whose text filters a list on the same page. */
export function SearchField({
  label,
  size,
  value,
  onInput,
}: {
  label: string;
  size: number;
  value: string;
  onInput: (value: string) => void;
}) {
  return (
    <label>
      {label}
      <input
        type="search"
        value={value}
        size={size}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
