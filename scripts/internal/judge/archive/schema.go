package archive

import (
	"encoding/json"
	"fmt"
)

// A SchemaError says that a file of the branch has another schema than this tool
// reads: it is whole, but for another version.
type SchemaError struct{ Seen, Read int }

func (e SchemaError) Error() string {
	if e.Seen > 0 && e.Seen < e.Read {
		return fmt.Sprintf("older schema %d; this tool reads schema %d: scripts/bench publish in a checkout of the commit that was measured shows it", e.Seen, e.Read)
	}
	return fmt.Sprintf("schema %d; this tool reads schema %d", e.Seen, e.Read)
}

// Unread is why a line is no trend run: err, unless it is one of another schema, whose keys
// may be others too.
func Unread(line []byte, read int, err error) error {
	var trendRun struct{ Schema int }
	if json.Unmarshal(line, &trendRun) == nil && trendRun.Schema > 0 && trendRun.Schema != read {
		return SchemaError{trendRun.Schema, read}
	}
	return err
}
