"""Document lifecycle: properties and the like."""
