"""Pictures and other drawings: inserted, sized, described."""
