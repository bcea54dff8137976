package vets.xrays;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class XrayController {
    private final StudyIndex studies;
    private final Previews previews;

    XrayController(StudyIndex studies, Previews previews) {
        this.studies = studies;
        this.previews = previews;
    }

    @GetMapping("/xrays/{number}/preview")
    ResponseEntity<byte[]> preview(@PathVariable int number) {
        var study = studies.byNumber(number);
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .header("X-Animal", study.animal())
                .body(previews.preview(study));
    }
}
